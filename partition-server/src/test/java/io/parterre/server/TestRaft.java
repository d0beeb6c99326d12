package io.parterre.server;

import io.parterre.server.change.MemberWaits;
import io.parterre.server.raft.RaftConfig;
import java.time.Duration;

/** Raft settings of a test's server; what is not set is as in those it begins with. */
final class TestRaft {
    private String host;
    private int port;
    private Duration electionTimeoutMin;
    private Duration electionTimeoutMax;
    private Duration lease;
    private Duration firstElectionMin;
    private Duration firstElectionMax;
    private Duration managersAwaited;
    private final int packBytesMax;
    private final int entriesInFlightMax;
    private final int queuedCommandsMax;
    private final long queuedBytesMax;
    private long preservedLogBytes;
    private MemberWaits memberWaits;

    TestRaft() {
        this(RaftConfig.DEFAULT);
    }

    TestRaft(RaftConfig config) {
        host = config.host();
        port = config.port();
        electionTimeoutMin = config.electionTimeoutMin();
        electionTimeoutMax = config.electionTimeoutMax();
        lease = config.lease();
        firstElectionMin = config.firstElectionMin();
        firstElectionMax = config.firstElectionMax();
        managersAwaited = config.managersAwaited();
        packBytesMax = config.packBytesMax();
        entriesInFlightMax = config.entriesInFlightMax();
        queuedCommandsMax = config.queuedCommandsMax();
        queuedBytesMax = config.queuedBytesMax();
        preservedLogBytes = config.preservedLogBytes();
        memberWaits = config.memberWaits();
    }

    TestRaft withAddress(String newHost, int newPort) {
        host = newHost;
        port = newPort;
        return this;
    }

    /** Also sets the lease and the waits after a start, which are derived as by default. */
    TestRaft withElectionTimeout(Duration min, Duration max) {
        RaftConfig derived =
                new RaftConfig(
                        host,
                        port,
                        min,
                        max,
                        packBytesMax,
                        entriesInFlightMax,
                        queuedCommandsMax,
                        queuedBytesMax,
                        preservedLogBytes);
        electionTimeoutMin = min;
        electionTimeoutMax = max;
        lease = derived.lease();
        managersAwaited = derived.managersAwaited();
        return withFirstElection(derived.firstElectionMin(), derived.firstElectionMax());
    }

    TestRaft withFirstElection(Duration min, Duration max) {
        firstElectionMin = min;
        firstElectionMax = max;
        return this;
    }

    TestRaft withManagersAwaited(Duration value) {
        managersAwaited = value;
        return this;
    }

    TestRaft withLease(Duration value) {
        lease = value;
        return this;
    }

    TestRaft withPreservedLogBytes(long value) {
        preservedLogBytes = value;
        return this;
    }

    TestRaft withMemberWaits(MemberWaits value) {
        memberWaits = value;
        return this;
    }

    RaftConfig build() {
        return new RaftConfig(
                host,
                port,
                electionTimeoutMin,
                electionTimeoutMax,
                lease,
                firstElectionMin,
                firstElectionMax,
                managersAwaited,
                packBytesMax,
                entriesInFlightMax,
                queuedCommandsMax,
                queuedBytesMax,
                preservedLogBytes,
                memberWaits);
    }
}
