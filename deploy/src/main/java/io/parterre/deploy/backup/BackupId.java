package io.parterre.deploy.backup;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Names of backups, whose order as text is their order in time. Stateless; thread-safe. */
public final class BackupId {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private BackupId() {}

    /** Returns the name of a backup that begins now. */
    public static String at(Instant now) {
        return FORM.format(now).replace('.', '-');
    }
}
