package io.parterre.server.raft;

import io.parterre.range.RangeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes which entry each replica applies, in memory that outlives the process: a file that is
 * mapped and never synced. The next start finds there what the process ended with. Two files of the
 * node's folder:
 *
 * <pre>
 * APPLYING   state(8), then a slot a replica: range(8) term(8) index(8) commands(8); range 0: free
 * CRASHES    see {@link CrashLoop}
 * </pre>
 *
 * <p>A process that ends as it should leaves neither. The files say nothing that a loss of power
 * would have to keep: a machine that goes down ends no process by an entry. To note costs four
 * writes to memory. Slots are given out and used by any thread; all else is for one.
 */
final class ApplyMarks {
    private static final Logger LOG = LoggerFactory.getLogger(ApplyMarks.class);
    private static final long YOUNG = 1;
    private static final long SETTLED = 2;
    private static final int SLOT_BYTES = 4 * Long.BYTES;

    /** Replicas beyond these are not noted. */
    private static final int SLOTS = 4_096;

    private static final int FILE_BYTES = Long.BYTES + SLOTS * SLOT_BYTES;

    private final Path applying;
    private final Path crashes;
    private final Queue<Integer> free = new ConcurrentLinkedQueue<>();
    private volatile Optional<MappedByteBuffer> memory = Optional.empty();

    /** Notes nothing until it is opened. */
    ApplyMarks(Path folder) {
        this.applying = folder.resolve("APPLYING");
        this.crashes = folder.resolve("CRASHES");
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
    }

    /** Where one replica notes what it applies, until it is closed. For one thread at a time. */
    final class Slot {
        private final RangeId rangeId;
        private final int number;
        private final int offset;
        private boolean closed;

        private Slot(RangeId rangeId, int number) {
            this.rangeId = rangeId;
            this.number = number;
            this.offset = Long.BYTES + number * SLOT_BYTES;
        }

        /** An entry is about to be applied, or the next slice of it. */
        void begin(AppliedPosition entry) {
            if (closed) {
                return;
            }
            memory.ifPresent(
                    mapped -> {
                        mapped.putLong(offset + 8, entry.term());
                        mapped.putLong(offset + 16, entry.index());
                        mapped.putLong(offset + 24, entry.commands());
                        mapped.putLong(offset, rangeId.value());
                    });
        }

        /** It was applied, or will not be by this process. */
        void end() {
            if (!closed) {
                memory.ifPresent(mapped -> mapped.putLong(offset, 0));
            }
        }

        /** The replica is gone; another one gets the slot. */
        void close() {
            if (!closed) {
                end();
                closed = true;
                free.add(number);
            }
        }
    }

    /** A slot for a replica; empty: there are too many. */
    Optional<Slot> slot(RangeId rangeId) {
        return Optional.ofNullable(free.poll()).map(number -> new Slot(rangeId, number));
    }

    /**
     * Takes over what the process before has left, and notes from here on.
     *
     * @return the runs that have ended early up to now, that one included
     */
    CrashLoop open() throws IOException {
        CrashLoop known = CrashLoop.NONE;
        Optional<Set<ApplyMark>> left = left();
        if (left.isPresent()) {
            known = crashesBefore().after(left.get());
            Files.writeString(crashes, known.encode());
        } else {
            Files.deleteIfExists(crashes);
        }
        Files.createDirectories(applying.getParent());
        // Written as a whole first: a mapped file with holes would end the process on a full disk.
        Files.write(applying, new byte[FILE_BYTES]);
        try (FileChannel file =
                FileChannel.open(applying, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES);
            mapped.putLong(0, YOUNG);
            memory = Optional.of(mapped);
        }
        return known;
    }

    private CrashLoop crashesBefore() throws IOException {
        if (!Files.exists(crashes)) {
            return CrashLoop.NONE;
        }
        try {
            return CrashLoop.decode(Files.readString(crashes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException damaged) {
            LOG.warn("runs that ended early are forgotten file={}", crashes, damaged);
            return CrashLoop.NONE;
        }
    }

    /** Of a process that ended early and not by itself. */
    private Optional<Set<ApplyMark>> left() throws IOException {
        if (!Files.exists(applying)) {
            return Optional.empty();
        }
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(applying));
        if (file.capacity() != FILE_BYTES || file.getLong() != YOUNG) {
            return Optional.empty();
        }
        Set<ApplyMark> marks = new HashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            long range = file.getLong();
            long term = file.getLong();
            long index = file.getLong();
            int commands = (int) file.getLong();
            if (range > 0 && commands >= 0) {
                marks.add(
                        new ApplyMark(
                                new RangeId(range), new AppliedPosition(term, index, commands)));
            }
        }
        return Optional.of(marks);
    }

    /** Each entry that the runs before ended with is dealt with. */
    void forget() throws IOException {
        Files.deleteIfExists(crashes);
    }

    /**
     * The process has run for long enough, or ends for a reason that no entry has: what it applies
     * is not why it ends.
     */
    void settle() {
        memory.ifPresent(mapped -> mapped.putLong(0, SETTLED));
    }

    /**
     * Notes nothing any more.
     *
     * @param well whether the process ends as it should; else the next one finds what is noted
     */
    void close(boolean well) {
        memory = Optional.empty();
        if (!well) {
            return;
        }
        try {
            Files.deleteIfExists(applying);
            Files.deleteIfExists(crashes);
        } catch (IOException left) {
            LOG.warn("marks of applied entries not deleted", left);
        }
    }
}
