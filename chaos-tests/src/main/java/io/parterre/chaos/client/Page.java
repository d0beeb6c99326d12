package io.parterre.chaos.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

/**
 * One page of a query.
 *
 * @param next parameters that ask for the next page; empty: this page is the last
 */
public record Page(List<StoredEntity> entities, Optional<String> next) {
    static final Page NONE = new Page(List.of(), Optional.empty());

    public Page {
        entities = List.copyOf(entities);
    }

    static Page read(HttpResponse<byte[]> response) throws IOException {
        String row = response.headers().firstValue("x-ms-continuation-NextRowKey").orElse("");
        return new Page(
                EntityText.readPage(response.body()),
                response.headers()
                        .firstValue("x-ms-continuation-NextPartitionKey")
                        .map(key -> "NextPartitionKey=" + key + "&NextRowKey=" + row));
    }
}
