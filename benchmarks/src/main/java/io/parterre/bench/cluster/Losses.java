package io.parterre.bench.cluster;

import io.parterre.chaos.workload.Verification;
import java.util.List;
import java.util.function.Consumer;

/** What a table lacks of the writes acknowledged to its writers. Stateless. */
final class Losses {
    private static final int SHOWN = 10;

    private Losses() {}

    /** Returns what was lost or is wrong. The writers must have stopped. */
    static List<String> of(Verification verification, Consumer<String> progress) {
        List<String> found = verification.ofEverything();
        found.stream().limit(SHOWN).forEach(each -> progress.accept("lost or wrong: " + each));
        return found;
    }
}
