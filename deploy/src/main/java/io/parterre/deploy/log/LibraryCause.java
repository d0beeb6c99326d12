package io.parterre.deploy.log;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Adds the failure of a library's event to the message's line; adds nothing to our events. */
final class LibraryCause extends ThrowableHandlingConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return LibraryTrouble.isOfLibrary(event) ? LibraryTrouble.words(event) : "";
    }
}
