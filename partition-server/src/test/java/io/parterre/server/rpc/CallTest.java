package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.Command;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ReadRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CallTest {
    private static final RangeRequest READ =
            RangeRequest.newBuilder().setReadRow(ReadRow.getDefaultInstance()).build();
    private static final RangeRequest COMMAND =
            RangeRequest.newBuilder().setCommand(Command.getDefaultInstance()).build();

    private final List<RangeResponse> answers = new ArrayList<>();

    private Call call(RangeRequest request) {
        return new Call(request, 100, (call, answer) -> answers.add(answer.build()));
    }

    @Test
    void callDeliversOnlyFirstAnswer() {
        Call call = call(READ);
        call.answer(RangeAnswers.row(Optional.empty()));
        call.answer(RangeAnswers.inDoubt());
        call.expire(200);

        assertThat(answers).containsExactly(RangeAnswers.row(Optional.empty()).build());
    }

    @Test
    void callDoesNotExpire_beforeDeadline() {
        call(READ).expire(99);

        assertThat(answers).isEmpty();
    }

    @Test
    void readFailsWithTimeout_whenDeadlinePasses() {
        call(READ).expire(100);

        assertThat(answers.get(0).getFailed().getCode()).isEqualTo("OperationTimedOut");
    }

    @Test
    void commandIsInDoubt_whenDeadlinePasses() {
        call(COMMAND).expire(100);

        assertThat(answers.get(0).hasInDoubt()).isTrue();
    }

    @Test
    void callExpiresAtDeadline_whenTickerWrapsAround() {
        Call call = new Call(READ, Long.MIN_VALUE + 5, (c, answer) -> answers.add(answer.build()));

        call.expire(Long.MAX_VALUE);
        assertThat(answers).isEmpty();
        call.expire(Long.MIN_VALUE + 5);
        assertThat(answers).hasSize(1);
    }

    @Test
    void callRunsReleaseHookOnce_whenAnsweredEarlyOrLate() {
        List<String> given = new ArrayList<>();
        Call early = new Call(READ, 100, (c, answer) -> {});
        early.onAnswer(() -> given.add("first"));
        early.onAnswer(() -> given.add("second"));
        assertThat(given).as("one that takes its place").containsExactly("first");
        early.answer(RangeAnswers.noData());
        early.answer(RangeAnswers.noData());
        assertThat(given).containsExactly("first", "second");

        Call late = new Call(READ, 100, (c, answer) -> {});
        late.answer(RangeAnswers.noData());
        late.onAnswer(() -> given.add("late"));
        assertThat(given).containsExactly("first", "second", "late");
    }
}
