package io.parterre.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.parterre.range.RangeId;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.RaftGroupId;
import org.slf4j.LoggerFactory;

/**
 * What is logged of one range while it is open, for conditions that show nowhere else. The clusters
 * of the tests that run beside this one log as well: the range has to be of one's own. Safe for any
 * thread.
 */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final AtomicLong RANGE_IDS = new AtomicLong(70_000);

    /** One that no other test has. */
    final RangeId rangeId;

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;
    private final String groupId;

    private LogLines(Logger logger, RangeId rangeId) {
        this.logger = logger;
        this.rangeId = rangeId;
        this.groupId = RaftGroupId.valueOf(rangeId.groupId()).toString();
    }

    static LogLines of(String loggerName) {
        return of(loggerName, new RangeId(RANGE_IDS.incrementAndGet()));
    }

    /** Another logger's lines of the same range. */
    static LogLines of(String loggerName, RangeId rangeId) {
        Logger logger = (Logger) LoggerFactory.getLogger(loggerName);
        LogLines lines = new LogLines(logger, rangeId);
        lines.setContext(logger.getLoggerContext());
        lines.start();
        logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String line = event.getFormattedMessage();
        if (line.matches("(?s).*\\brangeId=" + rangeId.value() + "\\b.*")
                || line.contains(groupId)) {
            lines.add(line);
        }
    }

    boolean contains(String text) {
        return count(text) > 0;
    }

    long count(String text) {
        return lines.stream().filter(line -> line.contains(text)).count();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
