package io.parterre.deploy.log;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Of a library's event the failure, in the line of the message; of ours nothing. */
final class LibraryCause extends ThrowableHandlingConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return LibraryTrouble.isOfLibrary(event) ? LibraryTrouble.words(event) : "";
    }
}
