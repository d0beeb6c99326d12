package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.reason.Reason;
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
     * @param effects what it comes to
     */
    record Do(List<MapCommand> commands, Optional<LeadershipRequest> wish, List<Reason> effects)
            implements Verdict {
        public Do {
            commands = List.copyOf(commands);
            effects = List.copyOf(effects);
        }

        static Do command(MapCommand command, Reason... effects) {
            return new Do(List.of(command), Optional.empty(), List.of(effects));
        }

        public static Do nothing(Reason why) {
            return new Do(List.of(), Optional.empty(), List.of(why));
        }
    }

    /** Why it is not done; empty: it may be. */
    default Optional<Reason> hindrance() {
        if (this instanceof NotFound missing) {
            return Optional.of(missing.why());
        }
        if (this instanceof Invalid invalid) {
            return Optional.of(invalid.why());
        }
        return this instanceof Refuse refuse ? Optional.of(refuse.why()) : Optional.empty();
    }

    /** What it names does not exist. */
    record NotFound(Reason why) implements Verdict {}

    /** It makes no sense, whatever the cluster's state. */
    record Invalid(Reason why) implements Verdict {}

    /** Not as the cluster is now. */
    record Refuse(Reason why) implements Verdict {}
}
