package io.parterre.deploy.operator;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** Option of a command that tells only what it would do. */
final class DryRun {
    @Option(names = "--dry-run", description = "Tells what would be done, and does nothing.")
    private boolean wanted;

    boolean isWanted() {
        return wanted;
    }

    /** Prints what was done, or would be done. */
    void print(List<String> effects, PrintWriter out) {
        for (String effect : effects) {
            out.println((wanted ? "would: " : "") + effect);
        }
    }
}
