package io.parterre.frontend.settings;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * State of the secondary as {@code StorageServiceStats}. Source: docs/protocol.md 3.11. Stateless;
 * safe for any thread.
 */
public final class ServiceStatsXml {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private ServiceStatsXml() {}

    /**
     * A secondary that can be read.
     *
     * @param syncedUpTo every write acknowledged before can be read there
     */
    public static byte[] live(Instant syncedUpTo) {
        return of("live", HTTP_DATE.format(syncedUpTo));
    }

    /** A secondary of which some part cannot be read, or nobody can tell how old it is. */
    public static byte[] unavailable() {
        return of("unavailable", "");
    }

    private static byte[] of(String status, String lastSyncTime) {
        return new XmlText()
                .open("StorageServiceStats")
                .open("GeoReplication")
                .element("Status", status)
                .element("LastSyncTime", lastSyncTime)
                .close("GeoReplication")
                .close("StorageServiceStats")
                .toBytes();
    }
}
