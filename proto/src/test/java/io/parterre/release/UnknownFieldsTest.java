package io.parterre.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.UnknownFieldSet;
import io.parterre.proto.range.ChildStart;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.Split;
import io.parterre.proto.range.WriteEntities;
import org.junit.jupiter.api.Test;

final class UnknownFieldsTest {
    static final UnknownFieldSet ONE =
            UnknownFieldSet.newBuilder()
                    .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build();

    private static Command split(ChildStart splitPoint) {
        return Command.newBuilder().setSplit(Split.newBuilder().addSplitPoints(splitPoint)).build();
    }

    @Test
    void messageIsRefused_whenFieldDeepInsideIsUnknown() {
        Command command = split(ChildStart.newBuilder().setUnknownFields(ONE).build());
        assertThatThrownBy(() -> UnknownFields.refuse("command", command))
                .isInstanceOf(NewerReleaseException.class)
                .hasMessage(
                        "command: ChildStart with field 99, which a newer release wrote (expected:"
                                + " fields that this one knows)");
        assertThatCode(() -> UnknownFields.refuseOwn("command", command))
                .doesNotThrowAnyException();
    }

    @Test
    void messageIsTaken_whenAllFieldsAreKnown() {
        assertThatCode(
                        () ->
                                UnknownFields.refuse(
                                        "command",
                                        split(ChildStart.newBuilder().setChildRangeId(3).build())))
                .doesNotThrowAnyException();
    }

    /** Commands that write entities are looked at message by message, as far as these go. */
    @Test
    void writeEntitiesHoldsOperationsOnly_asUnknownFieldCheckExpects() {
        assertThat(WriteEntities.getDescriptor().getFields())
                .filteredOn(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .extracting(field -> field.getMessageType().getName())
                .containsExactly("EntityOperation");
        assertThat(EntityOperation.getDescriptor().getFields())
                .noneMatch(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE);
    }
}
