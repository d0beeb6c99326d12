package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LostThreadTest {
    private static final String LEADER =
            "org.apache.ratis.server.impl.LeaderStateImpl$EventProcessor";
    private static final String SERVER = "org.apache.ratis.server.impl.RaftServerImpl";

    private static <T extends Throwable> T at(T failure, String className, String method) {
        failure.setStackTrace(
                new StackTraceElement[] {
                    new StackTraceElement("java.util.Objects", "requireNonNull", null, 1),
                    new StackTraceElement(className, method, null, 1)
                });
        return failure;
    }

    @Test
    void replicaIsLost_whenThreadOfRatisEnds() {
        assertThat(LostThread.costsReplica(at(new IllegalStateException("x"), LEADER, "run")))
                .isTrue();
        assertThat(LostThread.costsReplica(at(new NullPointerException(), SERVER, "close")))
                .isTrue();
        assertThat(
                        LostThread.costsReplica(
                                at(
                                        new IllegalStateException(
                                                at(
                                                        new IllegalStateException("full"),
                                                        SERVER,
                                                        "appendTransaction")),
                                        LEADER,
                                        "run")))
                .isTrue();
    }

    @Test
    void replicaIsNotLost_whenItsGroupWasClosed() {
        IllegalStateException closed = at(new IllegalStateException("closed"), SERVER, "close");
        IllegalStateException found = at(new IllegalStateException(closed), LEADER, "run");

        assertThat(LostThread.isOfClosedGroup(found)).isTrue();
        assertThat(LostThread.costsReplica(found)).isFalse();
    }

    @Test
    void replicaIsNotLost_whenThreadIsNotOfRatis() {
        Throwable failure = at(new IllegalStateException("x"), "io.parterre.Some", "run");

        assertThat(LostThread.costsReplica(failure)).isFalse();
    }
}
