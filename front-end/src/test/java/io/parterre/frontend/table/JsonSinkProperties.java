package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.parterre.entity.TextCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

final class JsonSinkProperties {
    /** Runs of plain text of all lengths around eight, with anything between. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> plain = Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(20);
        Arbitrary<String> special =
                Arbitraries.of(
                        "\0",
                        "\u001F",
                        "\"",
                        "\\",
                        "\u007F",
                        "\u0080",
                        "\u07FF",
                        "\u0800",
                        "\uD800",
                        "\uDC00",
                        "\uFFFF",
                        "\uD83D\uDE00",
                        "\n",
                        "\u00A0",
                        "\u00DC",
                        "\u0122");
        return Arbitraries.frequencyOf(Tuple.of(3, plain), Tuple.of(2, special))
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    @Property
    void jsonSinkWritesUTF8AndStringIdentically(@ForAll("texts") String text) {
        JsonSink ofString = new JsonSink(0);
        ofString.string(text);
        assertThat(ascii(ofUtf8(text))).isEqualTo(ascii(ofString));
    }

    @Property
    void jsonParserReadsBackTextWrittenBySink(@ForAll("texts") String text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(ofUtf8(text).toBytes())) {
            parser.nextToken();
            assertThat(parser.getText()).isEqualTo(text);
        }
    }

    private static JsonSink ofUtf8(String text) {
        // Not at the start of the array, so that an offset that is forgotten shows.
        byte[] utf8 = TextCodec.encode("x" + text);
        JsonSink sink = new JsonSink(0);
        sink.raw('"');
        sink.escapedUtf8(utf8, 1, utf8.length - 1);
        sink.raw('"');
        return sink;
    }

    private static String ascii(JsonSink sink) {
        return new String(sink.toBytes(), StandardCharsets.US_ASCII);
    }
}
