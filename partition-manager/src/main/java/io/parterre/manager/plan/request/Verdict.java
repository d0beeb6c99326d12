package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/** The verdict on an operator's request. */
public sealed interface Verdict {
    /** A leadership transfer that is asked for. */
    record LeadershipRequest(RangeId rangeId, NodeId to) {}

    /**
     * The request may be carried out, by these commands in this order.
     *
     * @param effects of the request
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

    /** Returns why the request is not carried out; empty if it may be. */
    default Optional<Reason> hindrance() {
        if (this instanceof NotFound missing) {
            return Optional.of(missing.why());
        }
        if (this instanceof Invalid invalid) {
            return Optional.of(invalid.why());
        }
        return this instanceof Refuse refuse ? Optional.of(refuse.why()) : Optional.empty();
    }

    /** The request names something that does not exist. */
    record NotFound(Reason why) implements Verdict {}

    /** The request is invalid in any state of the cluster. */
    record Invalid(Reason why) implements Verdict {}

    /** The request is refused in the present state of the cluster. */
    record Refuse(Reason why) implements Verdict {}
}
