package io.parterre.deploy.node;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The started parts, closed in reverse order, each even if the close of another fails. */
final class Parts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    private record Part(String name, AutoCloseable closeable) {}

    private final Deque<Part> lastFirst = new ArrayDeque<>();

    <T extends AutoCloseable> T add(String name, T part) {
        lastFirst.push(new Part(name, part));
        return part;
    }

    @Override
    public void close() {
        while (!lastFirst.isEmpty()) {
            Part part = lastFirst.pop();
            try {
                part.closeable().close();
                LOG.debug("closed part={}", part.name());
            } catch (Exception e) {
                LOG.error("not closed cleanly part={}", part.name(), e);
            }
        }
    }
}
