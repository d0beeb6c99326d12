package io.parterre.deploy.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Of our own events the stack trace, of a library's nothing. */
final class OwnTrace extends ThrowableProxyConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return LibraryTrouble.isOfLibrary(event) ? "" : super.convert(event);
    }
}
