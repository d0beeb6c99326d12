package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandCasesTest {
    @Test
    void everyKindOfCommandHasItsCase() {
        assertThat(CommandCases.BY_TYPE.keySet())
                .containsExactlyInAnyOrder(MapCommand.class.getPermittedSubclasses());
    }
}
