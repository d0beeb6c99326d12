package io.parterre.frontend.observe;

import io.parterre.frontend.call.CallNotes.Phase;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.RequestHead;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Requests that have ended, as notes of them come to. */
final class Requests {
    static final Instant STARTED = Instant.parse("2026-11-30T08:09:10.1234567Z");
    private static final long MILLI_NANOS = 1_000_000;

    private Requests() {}

    static RequestHead head(String target, String... headers) {
        return new RequestHead(
                "GET", target, HeaderList.of(headers), InetAddress.getLoopbackAddress());
    }

    /** One of which nothing is known but what it asked for and its answer. */
    static RequestRecord answered(RequestHead head, int status, String... headers) {
        List<RequestRecord> told = new ArrayList<>();
        ObservedCall call = new ObservedCall(head, STARTED, () -> 0, told::add);
        HttpAnswer answer = new HttpAnswer(status, "R", HeaderList.of(headers), new byte[0]);
        call.answered(answer, 0, 0);
        call.ended(true);
        return told.get(0);
    }

    /** One of an account, answered after so many milliseconds. */
    static RequestRecord of(String account, int status, long millis) {
        List<RequestRecord> told = new ArrayList<>();
        long[] now = {0};
        ObservedCall call =
                new ObservedCall(head("/" + account + "/t"), STARTED, () -> now[0], told::add);
        call.received(10);
        call.operation("QueryEntities", account, "/" + account + "/t");
        call.caller(account, "key1", "");
        call.enter(Phase.RANGE);
        now[0] = millis * MILLI_NANOS;
        HeaderList headers = HeaderList.of("x-ms-request-id", "r-1");
        call.answered(new HttpAnswer(status, "R", headers, new byte[0]), 100, 20);
        call.ended(true);
        return told.get(0);
    }
}
