package io.parterre.deploy.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityBodyTest {
    private static final EntityKey KEY = new EntityKey("p", "r");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200, 30_000})
    void versionIsRead_whenEntityIsWhole(int characters) {
        assertThat(EntityBody.version(KEY, EntityBody.of(KEY, 7, characters))).hasValue(7);
    }

    @Test
    void entityIsNotWhole_whenPropertiesAreOfTwoVersions() {
        String mixed = EntityBody.of(KEY, 7, 50).replace("\"Version\":\"7\"", "\"Version\":\"8\"");
        assertThat(EntityBody.version(KEY, mixed)).isEmpty();
    }

    @Test
    void entityIsNotWhole_whenItIsOfAnotherKey() {
        String other = EntityBody.of(new EntityKey("p", "s"), 7, 50);
        assertThat(EntityBody.version(KEY, other)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]", "{\"Version\":\"x\"}"})
    void entityIsNotWhole_whenBodyIsMalformed(String body) {
        assertThat(EntityBody.version(KEY, body)).isEmpty();
    }
}
