package io.parterre.deploy.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A table of a table service, as a source of intervals of partition keys. */
final class EndpointSource implements Source {
    private final TableClient client;
    private final String table;

    EndpointSource(TableClient client, String table) {
        this.client = client;
        this.table = table;
    }

    @Override
    public List<Part> parts() {
        return List.of(Part.fresh(0, "", ""));
    }

    @Override
    public boolean isSplittableByKey() {
        return true;
    }

    @Override
    public Optional<String> middle(Part part, String seen) {
        return KeyMidpoint.between(seen, part.to());
    }

    @Override
    public Reader open(Part part) {
        return new Pages(filter(part), part.position());
    }

    /**
     * Returns the filter of the interval, the same for all pages of a part, even if the part's end
     * has been moved in the meantime.
     */
    private static String filter(Part part) {
        String from = part.from().isEmpty() ? "" : "PartitionKey ge " + literal(part.from());
        String to = part.to().isEmpty() ? "" : "PartitionKey lt " + literal(part.to());
        return from.isEmpty() || to.isEmpty() ? from + to : from + " and " + to;
    }

    private static String literal(String key) {
        return "'" + key.replace("'", "''") + "'";
    }

    private final class Pages implements Reader {
        private final String filter;
        private Optional<String> position;

        Pages(String filter, Optional<String> position) {
            this.filter = filter;
            this.position = position;
        }

        @Override
        public Chunk next() throws IOException {
            TableClient.Page page = client.query(table, filter, position);
            position = page.next();
            return new Chunk(page.entities(), page.next());
        }

        @Override
        public void close() {
            // Each page is a separate call, so there is nothing to close.
        }
    }
}
