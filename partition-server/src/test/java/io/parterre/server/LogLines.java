package io.parterre.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What is logged while it is open, for conditions that show nowhere else. Safe for any thread. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    static LogLines of(String loggerName) {
        Logger logger = (Logger) LoggerFactory.getLogger(loggerName);
        LogLines lines = new LogLines(logger);
        lines.setContext(logger.getLoggerContext());
        lines.start();
        logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getMessage());
    }

    boolean contains(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
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
