package io.parterre.server.log;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room outside of the heap for the log buffer of one more Raft group. If Ratis 3.3.0 finds no room,
 * it fails halfway and leaves the group's folder locked until the process ends. So the room is
 * checked before Ratis is asked. Stateless; safe for any thread.
 *
 * @param usedBytes bytes in use now
 * @param maxBytes most bytes that the virtual machine gives
 * @param allocation allocates a buffer, and fails like the virtual machine if there is no room
 */
public record LogBufferRoom(
        LongSupplier usedBytes, LongSupplier maxBytes, IntFunction<ByteBuffer> allocation) {
    private static final Logger LOG = LoggerFactory.getLogger(LogBufferRoom.class);

    /** Bytes left free for messages, and for groups that are added at the same time. */
    private static final long SPARE_BYTES = 16L << 20;

    /** The room of this process. */
    public static final LogBufferRoom OF_PROCESS =
            new LogBufferRoom(
                    LogBufferRoom::directBytes,
                    LogBufferRoom::directBytesMax,
                    ByteBuffer::allocateDirect);

    /**
     * Makes sure that there is enough room; may collect garbage for that.
     *
     * @param bytes size of the group's buffer
     * @throws IOException if there is not enough; the caller may retry when other replicas have
     *     gone
     */
    public void require(int bytes) throws IOException {
        long used = usedBytes.getAsLong();
        long max = maxBytes.getAsLong();
        if (fits(bytes, used, max)) {
            return;
        }
        try {
            // Allocates, because the virtual machine frees garbage before it refuses.
            LOG.debug("room found bytes={}", allocation.apply(bytes).capacity());
        } catch (OutOfMemoryError full) {
            throw new IOException(
                    "no memory for the log of another replica: "
                            + bytes
                            + " bytes (of "
                            + max
                            + " outside of the heap "
                            + used
                            + " are used; more: -XX:MaxDirectMemorySize)",
                    full);
        }
    }

    /** Whether there is certainly enough room. */
    public static boolean fits(long bytes, long usedBytes, long maxBytes) {
        return usedBytes + bytes + SPARE_BYTES <= maxBytes;
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    private static long directBytesMax() {
        long set =
                Long.parseLong(
                        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                                .getVMOption("MaxDirectMemorySize")
                                .getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}
