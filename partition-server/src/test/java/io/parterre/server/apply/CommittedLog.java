package io.parterre.server.apply;

import io.parterre.server.command.LogEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is committed of a range's log. */
final class CommittedLog {
    private final long begin;
    final List<LogEntry> entries = new ArrayList<>();

    /** By the member that applied them first. */
    final Map<Long, List<Outcome>> outcomes = new HashMap<>();

    CommittedLog(long begin) {
        this.begin = begin;
    }

    long end() {
        return begin + entries.size();
    }

    LogEntry at(long index) {
        return entries.get((int) (index - begin - 1));
    }
}
