package io.parterre.deploy.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.parterre.deploy.config.FileErrorText;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.node.HandleBudget;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.node.StartProbe;
import io.parterre.disk.DiskSpace;
import io.parterre.frontend.http.TlsFiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads the state of this machine and has it checked. Changes nothing permanently. */
public final class Machine {
    private static final int SYNCS = 20;
    private static final int SYNCED_BYTES = 4 * 1_024;
    private static final Duration SYNCS_TIME_MAX = Duration.ofSeconds(10);
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path GROUP_THREADS = Path.of("/sys/fs/cgroup/pids.max");

    private final ParterreConfig config;
    private final Optional<RoleName> role;

    /**
     * Creates a check of a machine on which a process is to run.
     *
     * @param role empty: all roles in one process
     */
    public Machine(ParterreConfig config, Optional<RoleName> role) {
        this.config = config;
        this.role = role;
    }

    private boolean stores() {
        return role.isEmpty() || role.get() == RoleName.PARTITION_SERVER;
    }

    private boolean keepsAccounts() {
        return role.isEmpty() || role.get() == RoleName.PARTITION_MANAGER;
    }

    private boolean serves() {
        return role.isEmpty() || role.get() == RoleName.FRONT_END;
    }

    /** Checks everything, in the order in which a start would encounter it. */
    public List<Finding> look(Instant now) {
        List<Finding> findings = new ArrayList<>();
        boolean folder = role.isEmpty() || role.get() != RoleName.FRONT_END;
        boolean running = folder && StartProbe.isFolderInUse(config.dataDir());
        if (folder) {
            findings.add(folder(running));
            findings.addAll(disk());
        }
        StartProbe.addresses(config, role)
                .forEach(address -> findings.add(AddressCheck.judge(address, running)));
        findings.addAll(limits());
        findings.addAll(certificates(now));
        if (keepsAccounts()) {
            findings.addAll(SecretsCheck.here(config.secrets()));
        }
        return findings;
    }

    private Finding folder(boolean running) {
        Path path = config.dataDir().toAbsolutePath();
        if (running) {
            return Finding.ok("folder", path + " is in use by a process");
        }
        return StartProbe.folderRefusal(config.dataDir())
                .map(refusal -> Finding.problem("folder", refusal))
                .orElseGet(() -> Finding.ok("folder", path + " can be used"));
    }

    private List<Finding> disk() {
        Path there = existing(config.dataDir().toAbsolutePath().normalize());
        try {
            FileStore store = Files.getFileStore(there);
            List<Finding> findings = new ArrayList<>();
            findings.add(
                    DiskCheck.space(
                            DiskSpace.told(store.getUsableSpace(), store.getTotalSpace()),
                            role.isEmpty()
                                    ? config.server().diskSpace().ofOneNode()
                                    : config.server().diskSpace()));
            findings.add(DiskCheck.sync(syncs(there), config.server().disk().stalledAfter()));
            return findings;
        } catch (IOException failure) {
            return List.of(
                    Finding.problem("disk", there + ": " + FileErrorText.reason(there, failure)));
        }
    }

    /** Returns the folder, or its nearest existing parent. */
    private static Path existing(Path folder) {
        return Stream.iterate(folder, each -> each != null, Path::getParent)
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(folder.getRoot());
    }

    /** Measures writes to a file that has no name, so that nothing is left behind in any case. */
    private static List<Duration> syncs(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, ".parterre-doctor", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            Files.delete(file);
            List<Duration> times = new ArrayList<>();
            long begun = System.nanoTime();
            while (times.size() < SYNCS && System.nanoTime() - begun < SYNCS_TIME_MAX.toNanos()) {
                long from = System.nanoTime();
                channel.write(ByteBuffer.allocate(SYNCED_BYTES));
                channel.force(false);
                times.add(Duration.ofNanos(System.nanoTime() - from));
            }
            return times;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private List<Finding> limits() {
        List<Finding> findings = new ArrayList<>();
        HandleBudget handles = HandleBudget.of(config, stores());
        int wanted = config.frontEnd().http().connectionsMax();
        findings.add(
                LimitCheck.files(
                        handles.limit(),
                        serves() ? wanted : 0,
                        serves() ? handles.connections() : 0));
        findings.add(LimitCheck.threads(threadLimit(), stores()));
        long memory =
                ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : 0;
        findings.add(
                LimitCheck.memory(
                        memory,
                        served("heap").orElseGet(Runtime.getRuntime()::maxMemory),
                        served("direct").orElseGet(Machine::directBytesMax)));
        return findings;
    }

    /**
     * Bytes that the launcher gives the process on trial, which has other options than this one.
     */
    private static OptionalLong served(String kind) {
        return LimitCheck.jvmBytes(
                Optional.ofNullable(System.getProperty("parterre.served." + kind)));
    }

    private static long directBytesMax() {
        String set =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .getVMOption("MaxDirectMemorySize")
                        .getValue();
        long bytes = Long.parseLong(set);
        // Unset, the limit equals that of the heap.
        return bytes == 0 ? Runtime.getRuntime().maxMemory() : bytes;
    }

    /** Returns the lower of the user's and the cgroup's limit. */
    private static OptionalLong threadLimit() {
        return Stream.of(
                        read(LIMITS)
                                .lines()
                                .filter(line -> line.startsWith("Max processes"))
                                .map(line -> line.split(" {2,}"))
                                .filter(columns -> columns.length > 1)
                                .map(columns -> columns[1]),
                        read(GROUP_THREADS).lines())
                .flatMap(lines -> lines)
                .map(String::strip)
                .filter(limit -> limit.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .min();
    }

    /** Returns the text of a file; empty if the system does not have it. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return "";
        }
    }

    private List<Finding> certificates(Instant now) {
        List<Finding> findings =
                new ArrayList<>(
                        CertificateFilesCheck.ofCluster(
                                config.tls(), StartProbe.self(config, role), now));
        Optional<TlsFiles> tables = config.frontEnd().http().tls();
        if (serves() && tables.isPresent()) {
            findings.addAll(
                    CertificateFilesCheck.ofTables(
                            tables.get().certificateChain(), tables.get().privateKey(), now));
        }
        return findings;
    }
}
