package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalTextTest {
    @ParameterizedTest
    @EnumSource
    void sentenceHasAllArguments_whateverTheCode(Refusal.Code code) {
        int places = RefusalText.pattern(code).split("%s", -1).length - 1;
        Object[] arguments = Collections.nCopies(places, "it").toArray();
        assertThat(RefusalText.of(Refusal.of(code, arguments))).doesNotContain("%");
    }

    @Test
    void sentencesDiffer_whenCodesDiffer() {
        assertThat(Arrays.stream(Refusal.Code.values()).map(RefusalText::pattern))
                .doesNotHaveDuplicates();
    }
}
