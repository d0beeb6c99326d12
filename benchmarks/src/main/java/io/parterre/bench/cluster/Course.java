package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import java.util.List;
import java.util.function.Consumer;

/** Something done to a cluster that is healthy before and after. For one thread. */
public interface Course {
    /**
     * Runs it.
     *
     * @param progress told of each step, as a line for a person
     */
    List<Figure> run(Subject subject, Consumer<String> progress);
}
