package io.parterre.server.store;

import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for discarded damaged data, for operators who examine it. The oldest data is deleted
 * first. At most a few remain, and fewer if the disk is short, because rebuilt data needs the space
 * more. Safe for any thread.
 */
public final class DamagedArchive {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedArchive.class);

    private static final int KEPT_MAX = 4;

    /** Rebuilt data lies on the disk twice for a while. */
    private static final int COPIES = 2;

    private final Path folder;

    public DamagedArchive(Path folder) {
        this.folder = folder;
    }

    /**
     * Moves things into the archive. None of them is in its old place when this method returns. A
     * call that was interrupted may be repeated.
     *
     * @param what part of the name of the new folder
     * @param things files or folders; missing ones are skipped
     */
    public synchronized void take(String what, List<Path> things) throws IOException {
        List<Path> there = things.stream().filter(Files::exists).toList();
        if (there.isEmpty()) {
            return;
        }
        List<Path> before = kept();
        int next = before.isEmpty() ? 1 : number(before.get(before.size() - 1)) + 1;
        Path place = folder.resolve(String.format("%06d-%s", next, what));
        Files.createDirectories(place);
        for (Path thing : there) {
            Files.move(thing, place.resolve(thing.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.syncFolder(thing.getParent());
        }
        DurableFiles.syncFolder(place);
        DurableFiles.syncFolder(folder);
        long bytes = bytes(place);
        LOG.warn("damaged data archived folder={} bytes={}", place, bytes);
        makeRoom(bytes);
    }

    private void makeRoom(long bytes) throws IOException {
        List<Path> kept = kept();
        List<Long> sizes = new ArrayList<>();
        for (Path each : kept) {
            sizes.add(bytes(each));
        }
        long usable = Files.getFileStore(folder).getUsableSpace();
        for (Path each : kept.subList(0, dropped(sizes, usable, COPIES * bytes))) {
            LOG.warn(
                    "damaged data deleted, the disk or the folder is too full for it folder={}"
                            + " usableBytes={}",
                    each,
                    usable);
            DurableFiles.removeFolder(each);
        }
    }

    /**
     * Returns how many of the kept folders have to be deleted.
     *
     * @param sizes sizes in bytes, the oldest first
     * @param usable free bytes on the disk
     * @param needed bytes that have to be free
     */
    static int dropped(List<Long> sizes, long usable, long needed) {
        int dropped = Math.max(0, sizes.size() - KEPT_MAX);
        long free = usable;
        for (long gone : sizes.subList(0, dropped)) {
            free += gone;
        }
        while (dropped < sizes.size() && free < needed) {
            free += sizes.get(dropped);
            dropped++;
        }
        return dropped;
    }

    /** Returns the kept folders, the oldest first. */
    private List<Path> kept() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(each -> number(each) > 0)
                    .sorted(Comparator.comparing(DamagedArchive::number))
                    .toList();
        }
    }

    private static int number(Path kept) {
        String name = kept.getFileName().toString();
        return name.matches("\\d{6}-.*") ? Integer.parseInt(name.substring(0, 6)) : 0;
    }

    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path each : DurableFiles.filesBelow(folder)) {
            bytes += Files.size(each);
        }
        return bytes;
    }
}
