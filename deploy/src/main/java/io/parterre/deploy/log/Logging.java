package io.parterre.deploy.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.parterre.deploy.config.LogSection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Configures logback in code, because configuration files would have to be found and parsed at each
 * start.
 */
public final class Logging {
    private static final String PATTERN =
            "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\", UTC} %-5level %logger{0} %msg%cause%n%trace";

    /** For developers: with all stack traces. */
    private static final String DEBUG_PATTERN = PATTERN.replace("%cause%n%trace", "%n%ex");

    /** Libraries whose messages at info are useful only to their developers. */
    static final List<String> NOISY =
            List.of("org.apache.ratis", "io.grpc", "io.netty", "io.micrometer", "io.prometheus");

    /**
     * Ratis warns of each pause of a few hundred milliseconds, which every start on a busy machine
     * has. Pauses that matter make a leader lose its leadership, which is logged elsewhere; garbage
     * collections are measured.
     */
    private static final String PAUSES = "org.apache.ratis.util.JvmPauseMonitor";

    /** Only these tell how long a range had no leader, and why. */
    private static final List<String> ELECTIONS =
            List.of(
                    "org.apache.ratis.server.impl.FollowerState",
                    "org.apache.ratis.server.impl.LeaderElection");

    private Logging() {}

    /** Logs only warnings until the configuration is read. */
    public static void begin() {
        configure(new LogSection(LogSection.Format.TEXT, LogSection.Level.WARN));
    }

    public static void configure(LogSection config) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();

        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("stderr");
        console.setTarget("System.err");
        console.setEncoder(encoder(config, context));
        if (config.level() != LogSection.Level.DEBUG) {
            console.addFilter(withoutEndsOfLeads());
        }
        console.start();

        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(console);
        root.setLevel(level(config.level()));
        Level quiet = config.level() == LogSection.Level.ERROR ? Level.ERROR : Level.WARN;
        NOISY.forEach(name -> context.getLogger(name).setLevel(quiet));
        context.getLogger(PAUSES).setLevel(Level.ERROR);
        Level elections =
                config.level() == LogSection.Level.DEBUG ? Level.INFO : level(config.level());
        ELECTIONS.forEach(name -> context.getLogger(name).setLevel(elections));
        bridge();
    }

    /** Redirects java.util.logging, which gRPC uses, ours and the one inside Ratis. */
    private static void bridge() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        // Records below this level are not even created.
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
    }

    /** Writes out buffered events, just before the process ends. */
    public static void end() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static Level level(LogSection.Level level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
        };
    }

    private static Encoder<ILoggingEvent> encoder(LogSection config, LoggerContext context) {
        Encoder<ILoggingEvent> encoder =
                switch (config.format()) {
                    case TEXT ->
                            text(
                                    context,
                                    config.level() == LogSection.Level.DEBUG
                                            ? DEBUG_PATTERN
                                            : PATTERN);
                    case JSON -> new JsonLines();
                };
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context, String pattern) {
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.getInstanceConverterMap().put("cause", LibraryCause::new);
        layout.getInstanceConverterMap().put("trace", OwnTrace::new);
        layout.setPattern(pattern);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> text = new LayoutWrappingEncoder<>();
        text.setLayout(layout);
        return text;
    }

    private static Filter<ILoggingEvent> withoutEndsOfLeads() {
        Filter<ILoggingEvent> filter =
                new Filter<>() {
                    @Override
                    public FilterReply decide(ILoggingEvent event) {
                        return LibraryTrouble.isEndOfLeadership(event)
                                        || LibraryTrouble.isRefusedAtEnd(event)
                                ? FilterReply.DENY
                                : FilterReply.NEUTRAL;
                    }
                };
        filter.start();
        return filter;
    }
}
