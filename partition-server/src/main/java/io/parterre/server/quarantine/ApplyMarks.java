package io.parterre.server.quarantine;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes which entry each replica applies, in a file that is never synced: what was written to it
 * outlives the process. The next start finds there what the process ended with. Two files of the
 * node's folder:
 *
 * <pre>
 * APPLYING   state(8), then a slot a replica: range(8) term(8) index(8) commands(8); range 0: free
 * CRASHES    see {@link CrashLoop}
 * </pre>
 *
 * <p>A process that ends as it should leaves neither. The files say nothing that a loss of power
 * would have to keep: a machine that goes down ends no process by an entry. To note an entry costs
 * two small writes to what the system keeps in memory, and nothing once the process is settled. The
 * file has its size from the start, so they need no room on the disk. Not a mapped file, which
 * would keep the file system busy beyond the end of the node, nor a channel, which an interrupted
 * thread closes for all. Slots are given out and used by any thread; all else is for one.
 */
public final class ApplyMarks {
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

    /** Whether a mark would be read by the next start. */
    private volatile boolean settled;

    // Guarded by this.
    private Optional<RandomAccessFile> file = Optional.empty();

    /** Notes nothing until it is opened. */
    public ApplyMarks(Path folder) {
        this.applying = folder.resolve("APPLYING");
        this.crashes = folder.resolve("CRASHES");
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
    }

    /** Where one replica notes what it applies, until it is closed. For one thread at a time. */
    public final class Slot {
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
        public void begin(AppliedPosition entry) {
            if (!closed && !settled) {
                write(
                        offset,
                        ByteBuffer.allocate(SLOT_BYTES)
                                .putLong(rangeId.value())
                                .putLong(entry.term())
                                .putLong(entry.index())
                                .putLong(entry.commands()));
            }
        }

        /** It was applied, or will not be by this process. */
        public void end() {
            if (!closed && !settled) {
                write(offset, ByteBuffer.allocate(Long.BYTES));
            }
        }

        /** The replica is gone; another one gets the slot. */
        public void close() {
            if (!closed) {
                end();
                closed = true;
                free.add(number);
            }
        }
    }

    /** A slot for a replica; empty: there are too many. */
    public Optional<Slot> slot(RangeId rangeId) {
        return Optional.ofNullable(free.poll()).map(number -> new Slot(rangeId, number));
    }

    /**
     * Takes over what the process before has left, and notes from here on.
     *
     * @return the runs that have ended early up to now, that one included
     */
    public CrashLoop open() throws IOException {
        CrashLoop known = CrashLoop.NONE;
        Optional<Set<ApplyMark>> left = left();
        if (left.isPresent()) {
            known = crashesBefore().after(left.get());
            Files.writeString(crashes, known.encode());
        } else {
            Files.deleteIfExists(crashes);
        }
        Files.createDirectories(applying.getParent());
        Files.write(applying, new byte[FILE_BYTES]);
        RandomAccessFile opened = new RandomAccessFile(applying.toFile(), "rw");
        synchronized (this) {
            file = Optional.of(opened);
        }
        write(0, ByteBuffer.allocate(Long.BYTES).putLong(YOUNG));
        return known;
    }

    private synchronized void write(long at, ByteBuffer bytes) {
        if (file.isEmpty()) {
            return;
        }
        try {
            file.get().seek(at);
            file.get().write(bytes.array());
        } catch (IOException failure) {
            // Nothing is lost but what a start would learn from it.
            LOG.warn("applied entries are no longer noted file={}", applying, failure);
            closeFile();
            deleteNotes();
        }
    }

    /** What was noted last would be taken for what the process ended with. */
    private void deleteNotes() {
        try {
            Files.deleteIfExists(applying);
        } catch (IOException left) {
            LOG.warn("marks of applied entries not deleted", left);
        }
    }

    private synchronized void closeFile() {
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (IOException failure) {
            LOG.debug("file of applied entries not closed", failure);
        }
        file = Optional.empty();
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
        ByteBuffer found = ByteBuffer.wrap(Files.readAllBytes(applying));
        if (found.capacity() != FILE_BYTES || found.getLong() != YOUNG) {
            return Optional.empty();
        }
        Set<ApplyMark> marks = new HashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            long range = found.getLong();
            long term = found.getLong();
            long index = found.getLong();
            int commands = (int) found.getLong();
            if (range > 0 && commands >= 0) {
                marks.add(
                        new ApplyMark(
                                new RangeId(range), new AppliedPosition(term, index, commands)));
            }
        }
        return Optional.of(marks);
    }

    /** Each entry that the runs before ended with is dealt with. */
    public void forget() throws IOException {
        Files.deleteIfExists(crashes);
    }

    /**
     * The process has run for long enough, or ends for a reason that no entry has: what it applies
     * is not why it ends.
     */
    public void settle() {
        write(0, ByteBuffer.allocate(Long.BYTES).putLong(SETTLED));
        settled = true;
    }

    /**
     * Notes nothing any more.
     *
     * @param well whether the process ends as it should; else the next one finds what is noted
     */
    public void close(boolean well) {
        closeFile();
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
