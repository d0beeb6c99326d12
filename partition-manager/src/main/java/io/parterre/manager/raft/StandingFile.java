package io.parterre.manager.raft;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.file.DurableFiles;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.membership.ManagerPhase;
import io.parterre.manager.plan.membership.ManagerStanding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * A manager's standing as a file: one byte with the format's version, then a {@code
 * ManagerStanding}. Replaced atomically: after a crash the file is the old one or the new one. Not
 * thread-safe.
 */
public final class StandingFile {
    private static final byte VERSION = 1;

    private final Path file;

    /** Creates an instance for the file in a manager's folder. */
    public StandingFile(Path dataDirectory) {
        this.file = dataDirectory.resolve("standing");
    }

    /**
     * Reads the standing; empty if there is no file.
     *
     * @throws IOException if the file cannot be read, or is damaged or of a later version
     */
    public Optional<ManagerStanding> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(decode(Files.readAllBytes(file)));
    }

    /** Writes the standing, which is durable when the method returns. */
    public void write(ManagerStanding standing) throws IOException {
        Files.createDirectories(file.getParent());
        DurableFiles.replace(file, encode(standing));
    }

    static byte[] encode(ManagerStanding standing) {
        byte[] message =
                io.parterre.proto.manager.log.ManagerStanding.newBuilder()
                        .setIncarnation(standing.incarnation())
                        .setPhase(toProto(standing.phase()))
                        .setGroupId(standing.groupId().map(UUID::toString).orElse(""))
                        .addAllFounders(
                                standing.founders().stream().map(MapValueCodec::toProto).toList())
                        .addAllMembers(
                                standing.members().stream().map(MapValueCodec::toProto).toList())
                        .build()
                        .toByteArray();
        byte[] bytes = new byte[message.length + 1];
        bytes[0] = VERSION;
        System.arraycopy(message, 0, bytes, 1, message.length);
        return bytes;
    }

    static ManagerStanding decode(byte[] bytes) throws IOException {
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw new IOException(
                    "manager standing version: "
                            + (bytes.length == 0 ? "missing" : bytes[0])
                            + " (expected: "
                            + VERSION
                            + ")");
        }
        try {
            io.parterre.proto.manager.log.ManagerStanding message =
                    io.parterre.proto.manager.log.ManagerStanding.parseFrom(
                            Arrays.copyOfRange(bytes, 1, bytes.length));
            return new ManagerStanding(
                    message.getIncarnation(),
                    fromProto(message.getPhase()),
                    message.getGroupId().isEmpty()
                            ? Optional.empty()
                            : Optional.of(UUID.fromString(message.getGroupId())),
                    message.getFoundersList().stream().map(MapValueCodec::fromProto).toList(),
                    message.getMembersList().stream().map(MapValueCodec::fromProto).toList());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new IOException("manager standing: damaged", e);
        }
    }

    public static io.parterre.proto.manager.log.ManagerPhase toProto(ManagerPhase phase) {
        return switch (phase) {
            case NEW -> io.parterre.proto.manager.log.ManagerPhase.NEW;
            case FOUNDING -> io.parterre.proto.manager.log.ManagerPhase.FOUNDING;
            case JOINING -> io.parterre.proto.manager.log.ManagerPhase.JOINING;
            case MEMBER -> io.parterre.proto.manager.log.ManagerPhase.MEMBER;
        };
    }

    /**
     * Reads a phase.
     *
     * @throws IllegalArgumentException if the phase is not known here
     */
    public static ManagerPhase fromProto(io.parterre.proto.manager.log.ManagerPhase phase) {
        return switch (phase) {
            case NEW -> ManagerPhase.NEW;
            case FOUNDING -> ManagerPhase.FOUNDING;
            case JOINING -> ManagerPhase.JOINING;
            case MEMBER -> ManagerPhase.MEMBER;
            case MANAGER_PHASE_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("manager phase: not known here");
        };
    }
}
