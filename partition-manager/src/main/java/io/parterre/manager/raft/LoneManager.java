package io.parterre.manager.raft;

import io.parterre.file.DurableFiles;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.ManagerPhase;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.raftlog.LogFolder;
import io.parterre.raftlog.VoteFile;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.util.ProtoUtils;

/**
 * Turns the folder of one of two managers into that of the only one, when the other is lost for
 * good. One of two is no majority, so no running process can do this.
 *
 * <p>Nothing is lost: with two members, both have synced each acknowledged entry. The log is kept
 * up to its last entry, as the log of a new group with this member alone. If the other manager
 * returns after all, it is no majority of the old group and no member of the new one.
 *
 * <p>The manager must be stopped. One caller at a time. An interrupted run is repeated; until then,
 * no manager starts in the folder.
 */
public final class LoneManager {
    private static final String CONFIGURATION = "raft-meta.conf";
    private static final Pattern SNAPSHOT = Pattern.compile("snapshot\\.\\d+_(\\d+)");

    private final Path folder;
    private final StandingFile standings;

    /** Creates an instance for a manager's folder. */
    public LoneManager(Path dataDirectory) {
        this.folder = dataDirectory;
        this.standings = new StandingFile(dataDirectory);
    }

    /** The result: the id of the folder's new group, and where the former logs are. */
    public record Done(UUID groupId, Path before) {}

    private Path journal() {
        return folder.resolve("alone");
    }

    private Path logs() {
        return folder.resolve("raft");
    }

    private Path prepared() {
        return folder.resolve("raft-alone");
    }

    /**
     * Refuses to start in a folder in which a run was begun and not completed.
     *
     * @throws IOException if it was
     */
    public void requireWhole() throws IOException {
        if (Files.exists(journal())) {
            throw new IOException(
                    "folder "
                            + folder
                            + ": parterre manager alone was cut short (expected: to be run again)");
        }
    }

    /**
     * Goes on without the other manager.
     *
     * @param without the manager that is lost
     * @throws IOException if the folder is not that of one of two managers, the other of which is
     *     {@code without}, by the last applied set of managers and by each set appended since;
     *     nothing was changed then. Also if the folder cannot be read or written
     */
    public Done becomeOnlyManager(NodeId without) throws IOException {
        ManagerStanding standing =
                standings.read().orElseThrow(() -> refused("holds no manager's standing"));
        Optional<UUID> begun = begun();
        UUID groupId = begun.isPresent() ? begun.get() : prepare(standing, without);
        ClusterManager self = self(standing);
        Path before = folder.resolve("raft-before-" + groupId);
        if (Files.exists(prepared())) {
            if (Files.exists(logs())) {
                Files.move(logs(), before, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(prepared(), logs(), StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.syncFolder(folder);
        }
        standings.write(
                new ManagerStanding(
                        standing.incarnation(),
                        ManagerPhase.MEMBER,
                        Optional.of(groupId),
                        List.of(),
                        List.of(self)));
        Files.delete(journal());
        DurableFiles.syncFolder(folder);
        return new Done(groupId, before);
    }

    private Optional<UUID> begun() throws IOException {
        return Files.exists(journal())
                ? Optional.of(UUID.fromString(Files.readString(journal()).strip()))
                : Optional.empty();
    }

    private IOException refused(String why) {
        return new IOException("folder " + folder + " " + why + "; nothing was changed");
    }

    private ClusterManager self(ManagerStanding standing) throws IOException {
        return standing.members().stream()
                .filter(each -> !each.incarnation().isEmpty())
                .filter(each -> each.incarnation().equals(standing.incarnation()))
                .findFirst()
                .orElseThrow(() -> refused("is not that of a member of the managers' group"));
    }

    /**
     * Writes the new group's log beside the old one's. Returns the group's id once the log may be
     * used.
     */
    private UUID prepare(ManagerStanding standing, NodeId without) throws IOException {
        if (standing.phase() != ManagerPhase.MEMBER) {
            throw refused("is not that of a member of the managers' group");
        }
        ClusterManager self = self(standing);
        UUID oldId = standing.groupId().orElseThrow();
        Path old = logs().resolve(oldId.toString());
        LogFolder log = new LogFolder(old.resolve("current"));
        if (!Files.isDirectory(log.path())) {
            throw refused("has no log of group " + oldId);
        }
        requireBesideAlone(self, without, sets(standing, log));
        // As at a start: an unfinished write was acknowledged to no other member.
        new VoteFile(log.path()).restore();
        log.mend();
        log.requireWhole();
        long last = Math.max(log.lastIndex().orElse(-1), snapshotIndex(old));
        UUID groupId = UUID.randomUUID();
        DurableFiles.removeFolder(prepared());
        Path fresh = prepared().resolve(groupId.toString());
        DurableFiles.copyFolder(old, fresh);
        DurableFiles.replace(
                fresh.resolve("current").resolve(CONFIGURATION), configuration(self, last + 1));
        syncAll(prepared());
        DurableFiles.syncFolder(folder);
        DurableFiles.replace(journal(), groupId.toString().getBytes(StandardCharsets.UTF_8));
        return groupId;
    }

    /**
     * Returns the members of each configuration that may be in effect: the last one applied here,
     * and those appended since, which may be committed or not. The standing alone does not suffice,
     * because it follows what was applied.
     */
    private static List<List<ClusterManager>> sets(ManagerStanding standing, LogFolder log)
            throws IOException {
        Optional<LogEntryProto> applied = configuration(log.path());
        List<List<ClusterManager>> sets = new ArrayList<>();
        sets.add(applied.map(LoneManager::members).orElse(standing.members()));
        for (LogEntryProto appended :
                log.configurationsAfter(applied.map(LogEntryProto::getIndex).orElse(-1L))) {
            sets.add(members(appended));
        }
        return sets;
    }

    /** Returns the configuration that Ratis wrote beside the log when it applied the last one. */
    private static Optional<LogEntryProto> configuration(Path current) throws IOException {
        Path file = current.resolve(CONFIGURATION);
        return Files.exists(file)
                ? Optional.of(LogEntryProto.parseFrom(Files.readAllBytes(file)))
                : Optional.empty();
    }

    /**
     * Returns the voters of a configuration. While it replaces another one, a majority of both has
     * to agree, so the voters of the other need no check.
     */
    private static List<ClusterManager> members(LogEntryProto configuration) {
        return configuration.getConfigurationEntry().getPeersList().stream()
                .map(ProtoUtils::toRaftPeer)
                .map(GroupPeers::manager)
                .toList();
    }

    /**
     * Requires that each of these sets holds this member and no other but the lost one, and that
     * one of them holds the lost one. Then each entry acknowledged under any of the sets was
     * acknowledged by this member too.
     */
    private void requireBesideAlone(
            ClusterManager self, NodeId without, List<List<ClusterManager>> sets)
            throws IOException {
        boolean beside = false;
        for (List<ClusterManager> set : sets) {
            List<NodeId> others =
                    set.stream()
                            .filter(each -> !isSame(each, self))
                            .map(ClusterManager::nodeId)
                            .sorted(Comparator.comparing(NodeId::value))
                            .toList();
            boolean with = set.stream().anyMatch(each -> isSame(each, self));
            if (!with || !List.of(without).containsAll(others)) {
                // With more than two members, this one may lack what a majority without it has
                // acknowledged.
                throw besideOthers(self, without, with ? others : set);
            }
            beside |= !others.isEmpty();
        }
        if (!beside) {
            throw besideOthers(self, without, List.of());
        }
    }

    private static boolean isSame(ClusterManager one, ClusterManager other) {
        return GroupPeers.id(one).equals(GroupPeers.id(other));
    }

    private IOException besideOthers(ClusterManager self, NodeId without, List<?> others) {
        return refused(
                "is of manager "
                        + self.nodeId()
                        + " beside "
                        + others
                        + " (expected: beside "
                        + without
                        + " alone)");
    }

    /** Returns what Ratis writes to this file when a configuration is committed. */
    private static byte[] configuration(ClusterManager self, long index) {
        return LogEntryProto.newBuilder()
                .setIndex(index)
                .setConfigurationEntry(
                        RaftConfigurationProto.newBuilder()
                                .addAllPeers(
                                        ProtoUtils.toRaftPeerProtos(GroupPeers.of(List.of(self)))))
                .build()
                .toByteArray();
    }

    private static long snapshotIndex(Path group) throws IOException {
        Path snapshots = group.resolve("sm");
        if (!Files.isDirectory(snapshots)) {
            return -1;
        }
        try (Stream<Path> files = Files.list(snapshots)) {
            return files.map(file -> SNAPSHOT.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .max()
                    .orElse(-1);
        }
    }

    private static void syncAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.forEach(
                    file -> {
                        try {
                            force(
                                    file,
                                    Files.isDirectory(file)
                                            ? StandardOpenOption.READ
                                            : StandardOpenOption.WRITE);
                        } catch (IOException failure) {
                            throw new UncheckedIOException(failure);
                        }
                    });
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private static void force(Path file, StandardOpenOption option) throws IOException {
        try (FileChannel opened = FileChannel.open(file, option)) {
            opened.force(true);
        }
    }
}
