package io.parterre.chaos.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often what happened: a simulation in which nothing does shows nothing. */
final class Statistics {
    long runs;
    long events;
    long simulatedMillis;
    long elections;
    long crashes;
    long deadNodes;
    long copies;
    long slices;
    long splits;
    long splitsInSeveral;
    long merges;
    long freezes;
    long thaws;
    long memberChanges;
    long managerLeads;
    long givenUp;
    long written;
    long repeatedCommands;
    long forgotten;
    long read;

    void add(Statistics other) {
        runs += other.runs;
        events += other.events;
        simulatedMillis += other.simulatedMillis;
        elections += other.elections;
        crashes += other.crashes;
        deadNodes += other.deadNodes;
        copies += other.copies;
        slices += other.slices;
        splits += other.splits;
        splitsInSeveral += other.splitsInSeveral;
        merges += other.merges;
        freezes += other.freezes;
        thaws += other.thaws;
        memberChanges += other.memberChanges;
        managerLeads += other.managerLeads;
        givenUp += other.givenUp;
        written += other.written;
        repeatedCommands += other.repeatedCommands;
        forgotten += other.forgotten;
        read += other.read;
    }

    @Override
    public String toString() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("runs", runs);
        all.put("events", events);
        all.put("simulatedMinutes", simulatedMillis / 60_000);
        all.put("elections", elections);
        all.put("crashes", crashes);
        all.put("nodesLostForGood", deadNodes);
        all.put("copies", copies);
        all.put("slices", slices);
        all.put("splits", splits);
        all.put("splitsInSeveral", splitsInSeveral);
        all.put("merges", merges);
        all.put("freezes", freezes);
        all.put("thaws", thaws);
        all.put("memberChanges", memberChanges);
        all.put("leadingManagers", managerLeads);
        all.put("operationsGivenUp", givenUp);
        all.put("writes", written);
        all.put("repeatedCommands", repeatedCommands);
        all.put("forgotten", forgotten);
        all.put("reads", read);
        return all.toString();
    }
}
