package io.parterre.deploy.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import java.util.List;

/**
 * Failures that libraries log. Their stack traces contain only library code, and tell an operator
 * no more than the failure's own message. Stateless; thread-safe.
 */
final class LibraryTrouble {
    private static final String RATIS = "org.apache.ratis.";
    private static final String RATIS_GRPC = RATIS + "grpc.server.";

    private LibraryTrouble() {}

    static boolean isOfLibrary(ILoggingEvent event) {
        return isIn(event.getLoggerName(), Logging.NOISY);
    }

    private static boolean isIn(String logger, List<String> packages) {
        return packages.stream().anyMatch(logger::startsWith);
    }

    /** Returns the failure and its causes in one line; empty if the event has none. */
    static String words(ILoggingEvent event) {
        StringBuilder words = new StringBuilder();
        IThrowableProxy failure = event.getThrowableProxy();
        while (failure != null) {
            words.append(words.length() == 0 ? ": " : ", caused by ")
                    .append(simpleName(failure.getClassName()));
            if (failure.getMessage() != null) {
                words.append(": ").append(failure.getMessage().replaceAll("\\s+", " "));
            }
            failure = failure.getCause() == failure ? null : failure.getCause();
        }
        return words.toString();
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /**
     * Returns whether the event reports that a leader's calls to its followers have ended, as they
     * do whenever a leadership moves or a process closes. A log line of ours reports that the
     * leadership has moved.
     */
    static boolean isEndOfLeadership(ILoggingEvent event) {
        if (!event.getLoggerName().startsWith(RATIS_GRPC)) {
            return false;
        }
        String message = event.getFormattedMessage();
        return message.endsWith(" is interrupted: java.lang.InterruptedException")
                || (message.contains(" onError, ")
                        && (message + words(event)).contains("CANCELLED"));
    }

    /**
     * Returns whether the event reports that a group which this process is closing has refused a
     * call.
     */
    static boolean isRefusedAtEnd(ILoggingEvent event) {
        if (!event.getLoggerName().startsWith(RATIS)) {
            return false;
        }
        String told = event.getFormattedMessage() + words(event);
        return told.contains("ServerNotReadyException")
                && (told.endsWith("current state is CLOSING")
                        || told.endsWith("current state is CLOSED"));
    }
}
