package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.parterre.entity.EdmType;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntityView;
import io.parterre.entity.PropertyCursor;
import io.parterre.key.EntityKey;
import io.parterre.key.Scope;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Writes entities as JSON, directly from their stored bytes. Source: docs/protocol.md 3.6, 4.1,
 * 4.4, 5.5. One per answer; not thread-safe.
 *
 * <p>Order of an entry: {@code odata.*}, PartitionKey, RowKey, Timestamp, custom properties as
 * stored. With a selection: the selected ones of these three, then the rest in the order of the
 * selection; a property that the entity lacks is an explicit null.
 */
public final class EntityJsonWriter {
    private static final byte[] ETAG_START = ascii("\"odata.etag\":\"W/\\\"datetime'");
    private static final byte[] ETAG_END = ascii("'\\\"\"");
    private static final byte[] PARTITION_KEY = ascii("\"PartitionKey\":\"");
    private static final byte[] ROW_KEY = ascii("\"RowKey\":\"");
    private static final byte[] TIMESTAMP_TYPE =
            ascii("\"Timestamp@odata.type\":\"Edm.DateTime\",");
    private static final byte[] TIMESTAMP = ascii("\"Timestamp\":\"");
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] ANNOTATION_DOUBLE = ascii("@odata.type\":\"Edm.Double\",\"");
    private static final byte[] ANNOTATION_DATE_TIME = ascii("@odata.type\":\"Edm.DateTime\",\"");
    private static final byte[] ANNOTATION_INT64 = ascii("@odata.type\":\"Edm.Int64\",\"");
    private static final byte[] ANNOTATION_GUID = ascii("@odata.type\":\"Edm.Guid\",\"");
    private static final byte[] ANNOTATION_BINARY = ascii("@odata.type\":\"Edm.Binary\",\"");

    private final MetadataLevel level;
    private final ResourceLinks links;
    private final String table;
    private final Optional<SelectedProperties> selection;
    private final JsonSink out;
    private final PropertyCursor cursor = new PropertyCursor(new byte[0], 0, 0);
    private boolean first = true;

    public EntityJsonWriter(
            MetadataLevel level,
            ResourceLinks links,
            String table,
            Optional<List<String>> select,
            int capacityBytes) {
        this(level, links, table, select, capacityBytes, more -> true);
    }

    /**
     * Creates a writer of an answer that may become many times larger than what is stored: a
     * selection has a null for each name that an entity lacks, and full metadata contains the
     * address as the client wrote it.
     *
     * @param room returns whether there is memory for this number of bytes beyond the capacity; if
     *     not, writing throws {@code SERVER_BUSY}
     */
    public EntityJsonWriter(
            MetadataLevel level,
            ResourceLinks links,
            String table,
            Optional<List<String>> select,
            int capacityBytes,
            LongPredicate room) {
        this.level = level;
        this.links = links;
        this.table = table;
        this.selection = select.map(SelectedProperties::new);
        this.out = new JsonSink(capacityBytes, room);
    }

    /** Returns the answer to a point read or an insert. */
    public byte[] single(EntityView view, Optional<String> selectText) {
        out.clear();
        out.raw('{');
        first = true;
        metadata(table + "/@Element", selectText);
        entry(view);
        out.raw('}');
        return out.toBytes();
    }

    /** Returns the answer to a query, from pages of entities by {@link EntityPage}. */
    public byte[] set(List<byte[]> pages, Optional<String> selectText) {
        out.clear();
        out.raw('{');
        first = true;
        metadata(table, selectText);
        separate();
        out.raw("\"value\":[");
        boolean[] more = {false};
        for (byte[] page : pages) {
            EntityPage.forEach(
                    page,
                    view -> {
                        out.raw(more[0] ? ",{" : "{");
                        more[0] = true;
                        first = true;
                        entry(view);
                        out.raw('}');
                    });
        }
        out.raw("]}");
        return out.toBytes();
    }

    private void metadata(String fragment, Optional<String> selectText) {
        if (level != MetadataLevel.NONE) {
            separate();
            out.raw("\"odata.metadata\":");
            String select =
                    selectText.map(text -> "&$select=" + PercentCodec.encodeUri(text)).orElse("");
            out.string(links.metadata(fragment + select));
        }
    }

    private void entry(EntityView view) {
        if (level == MetadataLevel.FULL) {
            EntityKey key = view.entityKey();
            String link = ResourceLinks.relativeEntity(table, key.partitionKey(), key.rowKey());
            text("\"odata.type\":", links.account() + "." + table);
            text("\"odata.id\":", links.baseUrl() + "/" + link);
            etag(view);
            text("\"odata.editLink\":", link);
        } else if (level == MetadataLevel.MINIMAL) {
            etag(view);
        }
        if (selection.isPresent()) {
            selected(view, selection.get());
        } else {
            partitionKey(view);
            rowKey(view);
            timestamp(view);
            view.properties(cursor);
            while (cursor.next()) {
                property();
            }
        }
    }

    private void text(String name, String value) {
        separate();
        out.raw(name);
        out.string(value);
    }

    private void etag(EntityView view) {
        separate();
        out.raw(ETAG_START);
        ValueText.time(view.timestampTicks(), out, true);
        out.raw(ETAG_END);
    }

    private void partitionKey(EntityView view) {
        separate();
        out.raw(PARTITION_KEY);
        key(view, Scope.LENGTH_BYTES, view.rowOffset());
        out.raw('"');
    }

    private void rowKey(EntityView view) {
        separate();
        out.raw(ROW_KEY);
        key(view, view.rowOffset(), view.keyLength());
        out.raw('"');
    }

    /** Writes a key from its key form: its code units in UTF-8 and a terminator of two bytes. */
    private void key(EntityView view, int from, int to) {
        byte[] bytes = view.keyBytes();
        for (int at = from; at < to - 2; at++) {
            if (bytes[at] == 0) {
                throw new IllegalArgumentException("key: NUL at byte " + at + " (expected: none)");
            }
        }
        out.escapedUtf8(bytes, from, to - 2 - from);
    }

    private void timestamp(EntityView view) {
        separate();
        if (level == MetadataLevel.FULL) {
            out.raw(TIMESTAMP_TYPE);
        }
        out.raw(TIMESTAMP);
        ValueText.time(view.timestampTicks(), out, false);
        out.raw('"');
    }

    /** Writes the property at the cursor. */
    private void property() {
        separate();
        out.raw('"');
        name();
        if (level != MetadataLevel.NONE) {
            byte[] annotation = annotation();
            if (annotation.length > 0) {
                out.raw(annotation);
                name();
            }
        }
        out.raw("\":");
        value();
    }

    private void name() {
        out.escapedUtf8(cursor.unsafeBytes(), cursor.nameOffset(), cursor.nameLength());
    }

    private byte[] annotation() {
        return switch (cursor.type()) {
            case STRING, BOOLEAN, INT32 -> NOTHING;
            case INT64 -> ANNOTATION_INT64;
            case DATE_TIME -> ANNOTATION_DATE_TIME;
            case GUID -> ANNOTATION_GUID;
            case BINARY -> ANNOTATION_BINARY;
            case DOUBLE ->
                    ValueText.isSpecial(Double.longBitsToDouble(cursor.longValue()))
                            ? ANNOTATION_DOUBLE
                            : NOTHING;
        };
    }

    private void value() {
        EdmType type = cursor.type();
        if (type == EdmType.BOOLEAN) {
            out.raw(cursor.booleanValue() ? "true" : "false");
        } else if (type == EdmType.INT32) {
            out.number(cursor.intValue());
        } else if (type == EdmType.DOUBLE) {
            ValueText.float64(Double.longBitsToDouble(cursor.longValue()), out);
        } else {
            out.raw('"');
            quoted(type);
            out.raw('"');
        }
    }

    private void quoted(EdmType type) {
        byte[] bytes = cursor.unsafeBytes();
        switch (type) {
            case STRING -> out.escapedUtf8(bytes, cursor.valueOffset(), cursor.valueLength());
            case BINARY -> out.base64(bytes, cursor.valueOffset(), cursor.valueLength());
            case INT64 -> out.number(cursor.longValue());
            case DATE_TIME -> ValueText.time(cursor.longValue(), out, false);
            case GUID -> {
                ByteBuffer halves = ByteBuffer.wrap(bytes, cursor.valueOffset(), 16);
                ValueText.guid(halves.getLong(), halves.getLong(), out);
            }
            case BOOLEAN, INT32, DOUBLE ->
                    throw new IllegalStateException("type: " + type + " (expected: a quoted one)");
        }
    }

    private void selected(EntityView view, SelectedProperties selected) {
        if (selected.partitionKey()) {
            partitionKey(view);
        }
        if (selected.rowKey()) {
            rowKey(view);
        }
        if (selected.timestamp()) {
            timestamp(view);
        }
        selected.locate(view, cursor);
        for (int slot = 0; slot < selected.count(); slot++) {
            if (selected.seek(slot, cursor)) {
                property();
            } else {
                separate();
                out.string(selected.name(slot));
                out.raw(":null");
            }
        }
    }

    private void separate() {
        if (first) {
            first = false;
        } else {
            out.raw(',');
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
