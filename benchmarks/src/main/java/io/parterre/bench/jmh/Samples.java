package io.parterre.bench.jmh;

import io.parterre.bench.load.ByteText;
import io.parterre.bench.work.SampleEntity;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EdmValue.BooleanValue;
import io.parterre.entity.EdmValue.DateTimeValue;
import io.parterre.entity.EdmValue.DoubleValue;
import io.parterre.entity.EdmValue.Int32Value;
import io.parterre.entity.EdmValue.Int64Value;
import io.parterre.entity.EdmValue.StringValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.entity.Ticks;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** {@link SampleEntity} in its internal forms. */
final class Samples {
    static final int PAGE_ENTITIES = 1_000;
    static final Scope SCOPE = Scope.ofTable(new AccountId(7), new ObjectId(42));

    private static final long WRITTEN = Ticks.MAX / 2;
    private static final int TEXT_CHARS = 780;

    private Samples() {}

    static String partitionKey(int row) {
        return "p%08d".formatted(row / 100);
    }

    static String rowKey(int row) {
        return "r%010d".formatted(row);
    }

    static Key key(int row) {
        return KeyCodec.entity(SCOPE, partitionKey(row), rowKey(row));
    }

    static List<Property> properties(int row) {
        return List.of(
                new Property("Name", new StringValue("entity " + row)),
                new Property("Number", new Int32Value(row)),
                new Property("Price", new DoubleValue(row % 1000 + 0.25)),
                new Property("Active", new BooleanValue(row % 2 == 0)),
                new Property("Created", new DateTimeValue(WRITTEN)),
                new Property("Revision", new Int64Value(0)),
                new Property("Text", new StringValue(text(row))));
    }

    private static String text(int row) {
        String json = new String(json(row), StandardCharsets.US_ASCII);
        return json.substring(json.length() - TEXT_CHARS - 2, json.length() - 2);
    }

    static byte[] block(int row) {
        return EntityCodec.encodeBlock(properties(row));
    }

    static byte[] value(int row) {
        return EntityCodec.encodeValue(WRITTEN, block(row));
    }

    static EntityView view(int row) {
        return EntityView.of(key(row), value(row));
    }

    static List<Key> keys() {
        return IntStream.range(0, PAGE_ENTITIES).mapToObj(Samples::key).toList();
    }

    static List<byte[]> values() {
        return IntStream.range(0, PAGE_ENTITIES).mapToObj(Samples::value).toList();
    }

    static List<EntityView> views() {
        List<EntityView> views = new ArrayList<>();
        for (int row = 0; row < PAGE_ENTITIES; row++) {
            views.add(view(row));
        }
        return views;
    }

    /** Returns a page in the form of a server's answer. */
    static byte[] page() {
        ByteSink page = new ByteSink(PAGE_ENTITIES * 1024);
        views().forEach(view -> view.copyTo(page));
        return page.toBytes();
    }

    /** Returns the body of an insert. */
    static byte[] json(int row) {
        ByteText json = new ByteText(SampleEntity.JSON_BYTES);
        SampleEntity.putJson(row / 100, row, 0, json);
        return Arrays.copyOf(json.array(), json.length());
    }
}
