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
 * outlives the process. The next start finds there what was being applied when the process ended.
 * Two files of the node's folder:
 *
 * <pre>
 * APPLYING   state(8), then a slot a replica: range(8) term(8) index(8) commands(8); range 0: free
 * CRASHES    see {@link CrashLoop}
 * </pre>
 *
 * <p>A process that ends regularly leaves neither file. The files need not survive a power loss,
 * because a machine that goes down is no process ended by an entry. Noting an entry costs two small
 * writes to the system's page cache, and nothing once the process is settled. The file has its full
 * size from the start, so notes need no room on the disk. Not a mapped file, which would keep the
 * file system busy beyond the end of the node, nor a channel, which an interrupted thread closes
 * for all. Slots are taken and used by any thread; everything else is confined to one thread.
 */
public final class ApplyMarks {
    private static final Logger LOG = LoggerFactory.getLogger(ApplyMarks.class);
    private static final long YOUNG = 1;
    private static final long SETTLED = 2;
    private static final int SLOT_BYTES = 4 * Long.BYTES;

    /** Number of replicas that can be noted; further replicas are not. */
    private static final int SLOTS = 4_096;

    private static final int FILE_BYTES = Long.BYTES + SLOTS * SLOT_BYTES;

    private final Path applying;
    private final Path crashes;
    private final Queue<Integer> free = new ConcurrentLinkedQueue<>();

    /** Whether the process is settled, so that the next start ignores all marks. */
    private volatile boolean settled;

    // Guarded by this.
    private Optional<RandomAccessFile> file = Optional.empty();

    /** Creates marks that note nothing until they are opened. */
    public ApplyMarks(Path folder) {
        this.applying = folder.resolve("APPLYING");
        this.crashes = folder.resolve("CRASHES");
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
    }

    /**
     * Place where one replica notes what it applies, until the slot is closed. Used by one thread
     * at a time.
     */
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

        /** Notes that an entry, or its next slice, is about to be applied. */
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

        /** Notes that the entry was applied, or will not be by this process. */
        public void end() {
            if (!closed && !settled) {
                write(offset, ByteBuffer.allocate(Long.BYTES));
            }
        }

        /** Closes the slot of a replica that is gone; another replica gets it. */
        public void close() {
            if (!closed) {
                end();
                closed = true;
                free.add(number);
            }
        }
    }

    /** Returns a slot for a replica; empty if there are too many replicas. */
    public Optional<Slot> slot(RangeId rangeId) {
        return Optional.ofNullable(free.poll()).map(number -> new Slot(rangeId, number));
    }

    /**
     * Takes over the notes of the process before, and begins to note.
     *
     * @return the runs that have ended early so far, including the process before
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
            // Only information for the next start is lost.
            LOG.warn("applied entries are no longer noted file={}", applying, failure);
            closeFile();
            deleteNotes();
        }
    }

    /**
     * Otherwise the next start would take the last notes for what the process was applying when it
     * ended.
     */
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

    /** Reads the notes of a process that ended early and irregularly; empty if there was none. */
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

    /** Forgets the runs that have ended early, because the entry that ended them is dealt with. */
    public void forget() throws IOException {
        Files.deleteIfExists(crashes);
    }

    /**
     * Stops noting, because the process has run for long enough, or ends for a reason unrelated to
     * an entry.
     */
    public void settle() {
        write(0, ByteBuffer.allocate(Long.BYTES).putLong(SETTLED));
        settled = true;
    }

    /**
     * Stops noting.
     *
     * @param well whether the process ends regularly; if not, the next process finds the notes
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
