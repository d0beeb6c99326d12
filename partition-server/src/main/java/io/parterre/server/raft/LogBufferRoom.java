package io.parterre.server.raft;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory outside of the heap for the log of one more Raft group. Ratis 3.3.0 that finds none fails
 * in the middle, and leaves the group's folder locked until the process ends: so there has to be
 * enough before it is asked. Stateless; safe for any thread.
 */
final class LogBufferRoom {
    private static final Logger LOG = LoggerFactory.getLogger(LogBufferRoom.class);

    /** For messages, and for groups that are added at the same time. */
    private static final long SPARE_BYTES = 16L << 20;

    private LogBufferRoom() {}

    /**
     * Makes sure that there is enough; may collect garbage for it.
     *
     * @param bytes size of the group's buffer
     * @throws IOException if there is not; it may be tried again when other replicas have gone
     */
    static void require(int bytes) throws IOException {
        long usedBytes = usedBytes();
        long maxBytes = maxBytes();
        if (fits(bytes, usedBytes, maxBytes)) {
            return;
        }
        try {
            // The virtual machine frees what is garbage before it says no.
            LOG.debug("room found bytes={}", ByteBuffer.allocateDirect(bytes).capacity());
        } catch (OutOfMemoryError full) {
            throw new IOException(
                    "no memory for the log of another replica: "
                            + bytes
                            + " bytes (of "
                            + maxBytes
                            + " outside of the heap "
                            + usedBytes
                            + " are used; more: -XX:MaxDirectMemorySize)",
                    full);
        }
    }

    /** Whether there is certainly enough. */
    static boolean fits(long bytes, long usedBytes, long maxBytes) {
        return usedBytes + bytes + SPARE_BYTES <= maxBytes;
    }

    private static long usedBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    private static long maxBytes() {
        long set =
                Long.parseLong(
                        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                                .getVMOption("MaxDirectMemorySize")
                                .getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}
