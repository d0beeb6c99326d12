package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class MultipartReaderProperties {
    /** Few kinds of bytes, so that lines begin alike, end alike and repeat. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars('-', 'a', 'b', '\n', '}', ' ').ofMaxLength(60);
    }

    @Provide
    Arbitrary<String> wanted() {
        return Arbitraries.strings().withChars('-', 'a', 'b').ofMinLength(1).ofMaxLength(5);
    }

    @Property
    void searchFindsFirstTextAtLineStartOrBehindObject(
            @ForAll("texts") String text, @ForAll("wanted") String wanted) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        LineSearch search = new LineSearch(wanted.getBytes(ISO_8859_1));
        for (int begin = 0; begin <= bytes.length; begin++) {
            for (int from = begin; from <= bytes.length; from++) {
                assertThat(search.next(bytes, begin, from, bytes.length))
                        .isEqualTo(first(text, begin, from, wanted));
            }
        }
    }

    private static int first(String text, int begin, int from, String wanted) {
        for (int at = from; at < text.length(); at++) {
            String before = text.substring(begin, at);
            String line = before.substring(before.lastIndexOf("\n") + 1);
            if ((line.isEmpty() || line.stripTrailing().endsWith("}"))
                    && text.startsWith(wanted, at)) {
                return at;
            }
        }
        return text.length();
    }

    @Example
    void lineSearchStopsAtEndOffset() {
        byte[] bytes = "ab\nabc".getBytes(ISO_8859_1);
        LineSearch search = new LineSearch("abc".getBytes(ISO_8859_1));
        assertThat(search.next(bytes, 0, 0, 5)).isEqualTo(5);
        assertThat(search.next(bytes, 0, 0, 6)).isEqualTo(3);
    }

    @Provide
    Arbitrary<List<String>> blocks() {
        return Arbitraries.of(
                        "A: 1\n\n",
                        "A: 1\r\n\r\n",
                        "A: 1\n",
                        "A: 1",
                        "A: 1\nB: 2\n\n",
                        "A: 1\nB: 2",
                        "B: 2\n \n",
                        "\n",
                        "")
                .list()
                .ofMaxSize(8);
    }

    /** What a part before it held must not show. */
    @Property
    void partHeadersDoNotDependOnEarlierParts(@ForAll("blocks") List<String> blocks) {
        byte[] bytes = String.join("", blocks).getBytes(ISO_8859_1);
        MultipartReader reader = new MultipartReader(bytes);
        int from = 0;
        for (String block : blocks) {
            int to = from + block.length();
            int[] at = {from};
            HeaderList headers = reader.headers(at, to);
            int[] atAlone = {0};
            byte[] alone = Arrays.copyOfRange(bytes, from, to);
            assertThat(headers)
                    .isEqualTo(new MultipartReader(alone).headers(atAlone, alone.length));
            assertThat(at[0] - from).isEqualTo(atAlone[0]);
            from = to;
        }
    }
}
