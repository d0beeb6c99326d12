package io.parterre.bench.cluster;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.report.Row;
import io.parterre.bench.subject.ProcessUse;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.deploy.local.LocalCluster;
import io.parterre.deploy.node.RoleName;
import java.io.IOException;
import java.time.Duration;

/** Workloads on a cluster, through its first front end. Confined to one thread. */
public final class ReplicatedRates {
    private final ClusterProcesses cluster;
    private final Endpoint endpoint;
    private final Dataset dataset;
    private final String growing;
    private final RowNumbers fresh = RowNumbers.from(0);

    /** Creates the measurement; the tables must exist. */
    public ReplicatedRates(ClusterProcesses cluster, Dataset dataset, String growing) {
        this.cluster = cluster;
        this.endpoint = endpoint(cluster);
        this.dataset = dataset;
        this.growing = growing;
    }

    public static Endpoint endpoint(ClusterProcesses cluster) {
        return Endpoint.of(cluster.tableEndpoints().get(0), LocalCluster.ACCOUNT, LocalCluster.KEY);
    }

    /** Measures a row; the processor time is that of all processes of the cluster. */
    public Row measure(Workload workload, int connections, Duration warmUp, Duration time)
            throws IOException {
        Measurement before = run(workload, connections, warmUp);
        double cpuBefore = cpuSeconds();
        Measurement measured = run(workload, connections, time).withErrorsOf(before);
        double cpuSeconds = cpuSeconds() - cpuBefore;
        return new Row(
                "parterre",
                workload.title(),
                "operations",
                connections,
                cpuSeconds * 1e6 / Math.max(1, measured.operations()),
                measured);
    }

    private Measurement run(Workload workload, int connections, Duration time) throws IOException {
        TimedRecorder recorder = new TimedRecorder(time);
        new LoadLoop(
                        endpoint,
                        connections,
                        workload.start(dataset, growing, fresh, connections),
                        recorder)
                .run(time);
        return recorder.result();
    }

    private double cpuSeconds() throws IOException {
        double sum = 0;
        for (RoleName role : RoleName.values()) {
            for (String name : cluster.names(role)) {
                sum += ProcessUse.of(cluster.pid(name)).cpuSeconds();
            }
        }
        return sum;
    }
}
