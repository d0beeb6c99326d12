package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.store.EntityPosition;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** A token starts where it was given for, or not at all. */
final class ContinuationTokensProperties {
    private static final ContinuationTokens ENTITIES =
            ContinuationTokens.ofEntities("acct", "People");
    private static final ContinuationTokens TABLES = ContinuationTokens.ofTables("acct");

    private record Tokens(String partition, String row) {}

    private static Tokens tokens(ContinuationTokens list, EntityPosition position) {
        return new Tokens(
                list.headers(position).first("x-ms-continuation-NextPartitionKey").orElseThrow(),
                list.headers(position).first("x-ms-continuation-NextRowKey").orElseThrow());
    }

    private static String tableToken(String name) {
        return TABLES.headers(name).first("x-ms-continuation-NextTableName").orElseThrow();
    }

    private static QueryOptions options(String... namesAndValues) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            query.append(namesAndValues[i])
                    .append('=')
                    .append(URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8))
                    .append('&');
        }
        return QueryOptions.parse(query.toString());
    }

    private static EntityPosition position(ContinuationTokens list, Tokens tokens) {
        return list.entityPosition(
                options("NextPartitionKey", tokens.partition(), "NextRowKey", tokens.row()));
    }

    /** The position, or empty if the tokens are refused as what they are. */
    private static Optional<EntityPosition> read(ContinuationTokens list, Tokens tokens) {
        try {
            return Optional.of(position(list, tokens));
        } catch (StorageException refusal) {
            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_INPUT);
            return Optional.empty();
        }
    }

    private static Optional<String> readTable(String token) {
        try {
            return Optional.of(TABLES.tablePosition(options("NextTableName", token)));
        } catch (StorageException refusal) {
            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_INPUT);
            return Optional.empty();
        }
    }

    @Property
    void continuationTokenDecodesAtAnyFrontEnd(
            @ForAll @StringLength(max = 1_024) String partitionKey,
            @ForAll @StringLength(max = 1_024) String rowKey) {
        EntityPosition position = new EntityPosition(partitionKey, rowKey);
        Tokens tokens = tokens(ENTITIES, position);
        assertThat(tokens.partition() + tokens.row()).matches("[A-Za-z0-9!*_-]+");
        // The name of a table has no case, and neither list nor front end has a memory.
        ContinuationTokens other = ContinuationTokens.ofEntities("acct", "PEOPLE");
        assertThat(position(other, tokens)).isEqualTo(position);
        Tokens twice =
                new Tokens(
                        tokens.partition().replace("!", "%21"), tokens.row().replace("!", "%21"));
        assertThat(position(other, twice)).isEqualTo(position);
        assertThat(readTable(tableToken(partitionKey))).contains(partitionKey);
    }

    @Property(tries = 5_000)
    void tokenIsRejectedOrKeepsPosition_whenRandomCharacterChanges(
            @ForAll @StringLength(max = 20) String partitionKey,
            @ForAll @StringLength(max = 20) String rowKey,
            @ForAll @IntRange(max = 1_000) int at,
            @ForAll char to) {
        EntityPosition position = new EntityPosition(partitionKey, rowKey);
        Tokens tokens = tokens(ENTITIES, position);
        assertThat(read(ENTITIES, new Tokens(replaced(tokens.partition(), at, to), tokens.row())))
                .isIn(Optional.of(position), Optional.empty());
        assertThat(read(ENTITIES, new Tokens(tokens.partition(), replaced(tokens.row(), at, to))))
                .isIn(Optional.of(position), Optional.empty());
        assertThat(readTable(replaced(tableToken(partitionKey), at, to)))
                .isIn(Optional.of(partitionKey), Optional.empty());
    }

    private static String replaced(String token, int at, char to) {
        int index = at % token.length();
        return token.substring(0, index) + to + token.substring(index + 1);
    }

    /** All places and all characters of the alphabet, since chance rarely picks those. */
    @Example
    void tokenIsRejectedOrKeepsPosition_forEveryCharacterChange() {
        EntityPosition position = new EntityPosition("p", "row-10");
        Tokens tokens = tokens(ENTITIES, position);
        String alphabet = "ABCXYZabcxyz0123456789-_*+/=!%& ";
        for (int at = 0; at < tokens.row().length(); at++) {
            for (char to : alphabet.toCharArray()) {
                Tokens changed = new Tokens(tokens.partition(), replaced(tokens.row(), at, to));
                assertThat(read(ENTITIES, changed)).isIn(Optional.of(position), Optional.empty());
            }
            Tokens cut = new Tokens(tokens.partition(), tokens.row().substring(0, at));
            assertThat(read(ENTITIES, cut))
                    // A row that is not given at all starts at its partition.
                    .isEqualTo(
                            at == 0 ? Optional.of(EntityPosition.startOf("p")) : Optional.empty());
        }
    }

    @Property
    void continuationTokenIsRejected_whenFromOtherTableOrAccount(
            @ForAll @StringLength(max = 20) String partitionKey,
            @ForAll @StringLength(max = 20) String rowKey) {
        EntityPosition position = new EntityPosition(partitionKey, rowKey);
        Tokens tokens = tokens(ENTITIES, position);
        assertThat(read(ContinuationTokens.ofEntities("acct", "People2"), tokens)).isEmpty();
        assertThat(read(ContinuationTokens.ofEntities("acct2", "People"), tokens)).isEmpty();
        // Parts do not run together.
        assertThat(read(ContinuationTokens.ofEntities("acctp", "eople"), tokens)).isEmpty();
        assertThat(readTable(tokens.partition())).isEmpty();
        assertThat(read(ENTITIES, new Tokens(tokens.row(), tokens.partition()))).isEmpty();
        // A row belongs to its partition.
        Tokens next = tokens(ENTITIES, new EntityPosition(partitionKey + "x", rowKey));
        assertThat(read(ENTITIES, new Tokens(next.partition(), tokens.row()))).isEmpty();
    }

    @Example
    void continuationTokenIsRejected_whenKeyExceedsMaximumLength() {
        assertThat(position(ENTITIES, tokens(ENTITIES, new EntityPosition("k".repeat(1_032), ""))))
                .isNotNull();
        Tokens tokens = tokens(ENTITIES, new EntityPosition("k".repeat(1_033), ""));
        assertThatThrownBy(() -> position(ENTITIES, tokens)).isInstanceOf(StorageException.class);
    }

    /** Clients keep tokens: what is given out today is understood by every later version. */
    @Example
    void continuationTokenFormatIsPinned() {
        Tokens tokens = tokens(ENTITIES, new EntityPosition("p", "row-10"));
        assertThat(tokens.partition()).isEqualTo("1!20!cD4ANcZ_i8IDRoiRhw--");
        assertThat(tokens.row()).isEqualTo("1!24!cm93LTEwH*NYBJZwgMK_u65C");
        assertThat(tableToken("people")).isEqualTo("1!24!cGVvcGxl0FYHGJTK*ZtdjTC4");
    }
}
