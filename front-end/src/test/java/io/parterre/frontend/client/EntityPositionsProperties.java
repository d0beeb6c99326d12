package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.store.EntityPosition;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class EntityPositionsProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(3), new ObjectId(4));

    /** Strings around the borders of the encoding's lengths and its escapes. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.chars()
                .with(
                        '\0', '\1', 'a', 'b', '\u007f', '\u0080', '\u07ff', '\u0800', '\u0fff',
                        '\u1000', '\ud800', '\udfff', '\uffff')
                .array(char[].class)
                .ofMaxSize(4)
                .map(String::new);
    }

    @Property
    void positionDecodeReturnsWhatKeyEncodeWrote(
            @ForAll("texts") String pk, @ForAll("texts") String rk) {
        EntityPosition position = new EntityPosition(pk, rk);
        Key key = EntityPositions.key(SCOPE, position);
        assertThat(EntityPositions.atOrAfter(SCOPE, key)).isEqualTo(position);
        assertThat(EntityPositions.atOrAfter(SCOPE, key.next())).isEqualTo(position.next());
        assertThat(EntityPositions.atOrAfter(SCOPE, KeyCodec.partition(SCOPE, pk)))
                .isEqualTo(EntityPosition.startOf(pk));
    }

    @Property
    void atOrAfterReturnsFirstPosition_forAnyKeyPrefix(
            @ForAll("texts") String pk,
            @ForAll("texts") String rk,
            @ForAll("texts") String otherPk,
            @ForAll("texts") String otherRk,
            @ForAll int splitPoint) {
        Key whole = EntityPositions.key(SCOPE, new EntityPosition(pk, rk));
        Key prefix = whole.prefix(Math.floorMod(splitPoint, whole.length() + 1));
        EntityPosition position = EntityPositions.atOrAfter(SCOPE, prefix);
        Key found = EntityPositions.key(SCOPE, position);
        assertThat(found).isGreaterThanOrEqualTo(prefix);
        // No position lies between: whatever is below the found one is below the prefix.
        for (EntityPosition other :
                List.of(
                        new EntityPosition(otherPk, otherRk),
                        new EntityPosition(pk, otherRk),
                        new EntityPosition(pk, rk))) {
            if (other.compareTo(position) < 0) {
                assertThat(EntityPositions.key(SCOPE, other)).isLessThan(prefix);
            }
        }
    }
}
