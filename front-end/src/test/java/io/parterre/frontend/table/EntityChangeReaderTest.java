package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EntityChangeReaderTest {
    private static final EntityChangeReader READER =
            new EntityChangeReader(new EntityReader(EntityLimits.OF_THE_SERVICE));

    private static void isRejected(Verb verb, Resource resource) {
        assertThatThrownBy(
                        () ->
                                READER.read(
                                        verb,
                                        resource,
                                        HeaderList.EMPTY,
                                        Optional.empty(),
                                        MetadataLevel.NONE,
                                        new byte[0],
                                        0,
                                        0))
                .as("%s %s", verb, resource)
                .isInstanceOf(StorageException.class)
                .extracting(failure -> ((StorageException) failure).code())
                .isEqualTo(ErrorCode.METHOD_NOT_ALLOWED);
    }

    @Test
    void changeIsRejected_whenVerbWritesNoEntity() {
        for (Verb verb : List.of(Verb.GET, Verb.HEAD, Verb.POST, Verb.OPTIONS)) {
            isRejected(verb, new Resource.OneEntity("T", "p", "r"));
        }
        for (Verb verb : List.of(Verb.GET, Verb.PUT, Verb.MERGE, Verb.DELETE)) {
            isRejected(verb, new Resource.Entities("T"));
        }
    }
}
