package io.parterre.frontend.table;

import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Writes tables as JSON. A table has the one property {@code TableName} and no ETag. Source:
 * docs/protocol.md 3.2 to 3.4. Immutable.
 */
public record TableJsonWriter(
        MetadataLevel level, ResourceLinks links, Optional<List<String>> select) {
    private static final String NAME = "TableName";

    /**
     * Returns the answer to a listing.
     *
     * @param room returns whether there is memory for this number of bytes beyond what a listing
     *     usually takes; if not, {@code SERVER_BUSY} is thrown
     */
    public byte[] set(List<String> names, Optional<String> selectText, LongPredicate room) {
        JsonSink out = new JsonSink(256 + 160 * names.size(), room);
        out.raw('{');
        if (metadata("Tables", selectText, out)) {
            out.raw(',');
        }
        out.raw("\"value\":[");
        for (int i = 0; i < names.size(); i++) {
            out.raw(i == 0 ? "{" : ",{");
            entry(names.get(i), out);
            out.raw('}');
        }
        out.raw("]}");
        return out.toBytes();
    }

    /** Returns the answer to Get Table and Create Table. */
    public byte[] single(String name, Optional<String> selectText) {
        JsonSink out = new JsonSink(512);
        out.raw('{');
        if (metadata("Tables/@Element", selectText, out)) {
            out.raw(',');
        }
        entry(name, out);
        out.raw('}');
        return out.toBytes();
    }

    private boolean metadata(String fragment, Optional<String> selectText, JsonSink out) {
        if (level == MetadataLevel.NONE) {
            return false;
        }
        out.raw("\"odata.metadata\":");
        String selected =
                selectText.map(text -> "&$select=" + PercentCodec.encodeUri(text)).orElse("");
        out.string(links.metadata(fragment + selected));
        return true;
    }

    private void entry(String name, JsonSink out) {
        String separator = "";
        if (level == MetadataLevel.FULL) {
            String link = ResourceLinks.relativeTable(name);
            out.raw("\"odata.type\":");
            out.string(links.account() + ".Tables");
            out.raw(",\"odata.id\":");
            out.string(links.baseUrl() + "/" + link);
            out.raw(",\"odata.editLink\":");
            out.string(link);
            separator = ",";
        }
        for (String selected : select.orElse(List.of(NAME))) {
            out.raw(separator);
            separator = ",";
            out.string(selected);
            out.raw(':');
            if (selected.equals(NAME)) {
                out.string(name);
            } else {
                out.raw("null");
            }
        }
    }
}
