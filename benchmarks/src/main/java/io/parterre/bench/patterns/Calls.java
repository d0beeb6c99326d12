package io.parterre.bench.patterns;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.load.Work;
import java.io.IOException;
import java.time.Duration;

/** Runs work on one endpoint. Confined to one thread. */
record Calls(Endpoint endpoint) {
    private static final Duration LOAD_MAX = Duration.ofMinutes(10);

    /** Runs work for this time, as fast as possible. */
    Measurement during(Duration time, int connections, Work work) throws IOException {
        TimedRecorder recorder = new TimedRecorder(time);
        new LoadLoop(endpoint, connections, work, recorder).run(time);
        return recorder.result();
    }

    /**
     * Runs work until it is done.
     *
     * @return latency of the requests
     * @throws IOException if a request was refused
     */
    Measurement.Latency each(int connections, Work work) throws IOException {
        TimedRecorder recorder = new TimedRecorder(LOAD_MAX);
        new LoadLoop(endpoint, connections, work, recorder).run(LOAD_MAX);
        Measurement measured = recorder.result();
        if (!measured.errors().isEmpty()) {
            throw new IOException(endpoint + ": " + measured.firstErrors());
        }
        return measured.latency();
    }

    /**
     * Runs work until it is done.
     *
     * @return duration of the whole work
     * @throws IOException if a request was refused
     */
    Duration all(int connections, Work work) throws IOException {
        TenthsRecorder recorder = new TenthsRecorder(1);
        long begun = System.nanoTime();
        new LoadLoop(endpoint, connections, work, recorder).run(LOAD_MAX);
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        if (!recorder.errors().isEmpty()) {
            throw new IOException(endpoint + ": " + recorder.firstErrors());
        }
        return took;
    }
}
