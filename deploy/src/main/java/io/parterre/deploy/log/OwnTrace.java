package io.parterre.deploy.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Adds the stack trace to our own events, and nothing to a library's. */
final class OwnTrace extends ThrowableProxyConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return LibraryTrouble.isOfLibrary(event) ? "" : super.convert(event);
    }
}
