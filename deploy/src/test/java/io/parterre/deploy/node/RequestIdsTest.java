package io.parterre.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RequestIdsTest {
    @Test
    void requestIdsAreVersion4Uuids() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            UUID id = UUID.fromString(RequestIds.of(random));
            assertThat(id.version()).isEqualTo(4);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void requestIdsAreUnique() {
        assertThat(Stream.generate(new RequestIds()).limit(1_000)).doesNotHaveDuplicates();
    }
}
