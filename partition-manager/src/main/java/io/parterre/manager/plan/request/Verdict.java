package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Refusal;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/** What becomes of an operator's request. */
public sealed interface Verdict {
    /** A leadership that shall be elsewhere. */
    record LeadershipRequest(RangeId rangeId, NodeId to) {}

    /**
     * It may be done, by these commands in this order.
     *
     * @param effects sentences for people
     */
    record Do(List<MapCommand> commands, Optional<LeadershipRequest> wish, List<String> effects)
            implements Verdict {
        public Do {
            commands = List.copyOf(commands);
            effects = List.copyOf(effects);
        }

        static Do command(MapCommand command, String... effects) {
            return new Do(List.of(command), Optional.empty(), List.of(effects));
        }

        public static Do nothing(String why) {
            return new Do(List.of(), Optional.empty(), List.of(why));
        }
    }

    /** What it names does not exist. */
    record NotFound(Refusal why) implements Verdict {}

    /** It makes no sense, whatever the cluster's state. */
    record Invalid(Refusal why) implements Verdict {}

    /** Not as the cluster is now. */
    record Refuse(Refusal why) implements Verdict {}
}
