package io.parterre.client;

import static io.parterre.client.Refusals.assertListRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of six entities, a to f, each filter finds. */
class FiltersIT {
    private static final TableClient TABLE = Sdk.freshTable();

    @BeforeAll
    static void fill() {
        insert("one", "a", 1, 10L, 1.5, true, "2020-01-01T00:00:00Z", "Ada", new byte[] {1});
        insert(
                "one",
                "b",
                2,
                1L << 53,
                2.0,
                false,
                "2020-06-01T12:30:00.1234567Z",
                "O'Brien",
                new byte[] {1, 2});
        insert("one", "c", -3, -10L, -0.5, true, "1999-12-31T23:59:59Z", "東京", new byte[] {2});
        insert(
                "two",
                "d",
                4,
                (1L << 53) + 1,
                1e20,
                false,
                "2021-01-01T00:00:00Z",
                "ada",
                new byte[0]);
        insert("two", "e", 5, 0L, 0.0, true, "2020-01-01T00:00:00.0000001Z", "", new byte[] {-1});
        TABLE.createEntity(new TableEntity("two", "f").addProperty("Other", "only"));
    }

    private static void insert(
            String partition,
            String row,
            int int32,
            long int64,
            double number,
            boolean flag,
            String time,
            String text,
            byte[] bytes) {
        TABLE.createEntity(
                new TableEntity(partition, row)
                        .addProperty("Int32", int32)
                        .addProperty("Int64", int64)
                        .addProperty("Double", number)
                        .addProperty("Flag", flag)
                        .addProperty("Time", OffsetDateTime.parse(time))
                        .addProperty("Text", text)
                        .addProperty("Bytes", bytes)
                        .addProperty("Guid", new UUID(0, int32)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Keys.
                "PartitionKey eq 'one' and RowKey eq 'b'        | b",
                "PartitionKey eq 'one'                          | a b c",
                "PartitionKey eq 'one' and RowKey ge 'b'        | b c",
                "PartitionKey gt 'one'                          | d e f",
                "RowKey gt 'b' and RowKey le 'e'                | c d e",
                "PartitionKey eq 'one' and (RowKey eq 'a' or RowKey eq 'c') | a c",
                "PartitionKey ne 'one'                          | d e f",
                "PartitionKey eq 'ONE'                          |",
                "'one' eq PartitionKey and 'a' lt RowKey        | b c",
                // Strings compare by code unit and case.
                "Text eq 'Ada'                                  | a",
                "Text eq 'O''Brien'                             | b",
                "Text eq '東京'                                  | c",
                "Text eq ''                                     | e",
                "Text ge 'B' and Text lt 'a'                    | b",
                "Text ne 'Ada'                                  | b c d e",
                // Integers.
                "Int32 eq 2                                     | b",
                "Int32 eq -3                                    | c",
                "Int32 lt 2                                     | a c",
                "Int32 ge 2 and Int32 ne 4                      | b e",
                "Int64 eq 10L                                   | a",
                "Int64 eq 9007199254740992L                     | b",
                "Int64 eq 9007199254740993L                     | d",
                "Int64 gt 9007199254740992L                     | d",
                "Int64 lt 0L                                    | c",
                "Int64 eq 10                                    | a",
                // Doubles.
                "Double eq 1.5                                  | a",
                "Double eq 2.0                                  | b",
                "Double eq 2                                    | b",
                "Double lt 0.0                                  | c",
                "Double gt 1e3                                  | d",
                // Booleans.
                "Flag eq true                                   | a c e",
                "Flag ne true                                   | b d",
                "Flag                                           | a c e",
                // Times, to 100 ns.
                "Time eq datetime'2020-01-01T00:00:00Z'         | a",
                "Time gt datetime'2020-01-01T00:00:00Z'         | b d e",
                "Time eq datetime'2020-06-01T12:30:00.1234567Z' | b",
                "Time lt datetime'2000-01-01T00:00:00Z'         | c",
                "Timestamp gt datetime'2001-01-01T00:00:00Z'    | a b c d e f",
                "Timestamp lt datetime'2001-01-01T00:00:00Z'    |",
                // Guids and bytes.
                "Guid eq guid'00000000-0000-0000-0000-000000000004' | d",
                "Guid ne guid'00000000-0000-0000-0000-000000000004' | a b c e",
                "Bytes eq X'0102'                               | b",
                "Bytes eq binary'01'                            | a",
                "Bytes ge X'02'                                 | c e",
                "Bytes lt X'0102'                               | a d",
                // Logic: and binds tighter than or.
                "Int32 eq 1 or Int32 eq 2 and Flag eq true      | a",
                "(Int32 eq 1 or Int32 eq 2) and Flag eq false   | b",
                "not (Int32 gt 1)                               | a c f",
                "not (Flag eq true) and not (Flag eq false)     | f",
                "((((Int32 eq 5))))                             | e",
                "true                                           | a b c d e f",
                "false                                          |",
                // A property that is not there makes every comparison false.
                "Other eq 'only'                                | f",
                "Other ne 'only'                                |",
                "not (Other ne 'only')                          | a b c d e f",
                "Missing lt 5                                   |",
                "Missing ge 5                                   |",
            })
    void filterFindsExactlyMatchingEntities(String filter, String rows) {
        List<String> expected = rows == null ? List.of() : Arrays.stream(rows.split(" ")).toList();

        assertThat(Sdk.rowKeys(Sdk.query(TABLE, filter.strip()))).isEqualTo(expected);
    }

    @Test
    void emptyFilterReturnsAllEntities() {
        assertThat(Sdk.query(TABLE, "")).hasSize(6);
    }

    @Test
    void filterWith200TermsIsAccepted() {
        String filter =
                IntStream.range(0, 200)
                        .mapToObj(i -> "(PartitionKey eq 'one' and RowKey eq 'none-" + i + "')")
                        .collect(Collectors.joining(" or "));

        assertThat(Sdk.query(TABLE, filter)).isEmpty();
        assertThat(Sdk.rowKeys(Sdk.query(TABLE, filter + " or Int32 eq 4"))).containsExactly("d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Int32 eq",
                "aaa bbb ccc",
                "and",
                "Text eq 'unfinished",
                "(Int32 eq 1",
                "Text eq 'a'x",
                "PartitionKey eq null",
            })
    void filterIsRejected_whenMalformed(String filter) {
        assertListRefused(400, TableErrorCode.INVALID_INPUT, () -> Sdk.query(TABLE, filter));
    }
}
