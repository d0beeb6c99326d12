package io.parterre.manager;

import static org.awaitility.Awaitility.await;

import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Three managers on real Ratis, and three nodes that report to their leader. For one thread. */
final class ThreeManagers implements AutoCloseable {
    final List<ManagerMember> members = new ArrayList<>();
    final List<ManagerUnderTest> managers = new ArrayList<>();
    final FakeNodes nodes = new FakeNodes("n1", "n2", "n3");
    private final Path folder;

    /** Returns once the first range has its members. */
    ThreeManagers(Path folder) throws IOException {
        this(folder, List.of());
    }

    /**
     * With nodes that read the newest feature level.
     *
     * @param rings of the managers, in their order
     */
    ThreeManagers(Path folder, List<KeyRing> rings) throws IOException {
        this.folder = folder;
        for (int i = 1; i <= 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i),
                            "127.0.0.1:" + TestPorts.next(),
                            "service-of-m" + i));
        }
        for (int i = 0; i < members.size(); i++) {
            KeyRing ring = rings.isEmpty() ? KeyRing.NONE : rings.get(i);
            managers.add(ManagerUnderTest.start(TestConfig.with(config(members.get(i)), ring)));
        }
        if (!rings.isEmpty()) {
            nodes.readNewestLevel();
        }
        until(() -> nodes.members().size() == 3);
    }

    PartitionManagerConfig config(ManagerMember member) {
        return TestConfig.member(member, members, folder, Policy.DEFAULT);
    }

    /** Starts one of them again, with other keys. */
    void restart(int index, KeyRing ring) throws IOException {
        managers.get(index).close();
        managers.set(
                index, ManagerUnderTest.start(TestConfig.with(config(members.get(index)), ring)));
    }

    /** Lets the nodes report to the leader until it is so. */
    void until(BooleanSupplier so) {
        await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> leader().isPresent() && so.getAsBoolean());
    }

    /** Lets the nodes report to the leader. */
    Optional<ManagerUnderTest> leader() {
        return managers.stream().filter(nodes::report).findFirst();
    }

    @Override
    public void close() {
        ManagerUnderTest.closeAll(managers);
    }
}
