package io.parterre.frontend.observe;

import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.RequestHead;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Notes of one request, handed over as a record when the request has ended. Thread-safe. */
final class ObservedCall implements CallNotes {
    private static final String UNKNOWN = "Unknown";

    private final RequestHead head;
    private final Instant startedAt;
    private final LongSupplier nanos;
    private final Consumer<RequestRecord> told;
    private final long begunNanos;
    private final Map<Phase, Long> phases = new EnumMap<>(Phase.class);
    private Phase phase = Phase.READ;
    private long phaseNanos;
    private long receivedNanos;
    private long answeredNanos;
    private int bodyBytes;
    private Optional<String> caller = Optional.empty();
    private String key = "";
    private String signature = "";
    private String table = "";
    private String partitionKey = "";
    private String operation = UNKNOWN;
    private String owner = "";
    private String object = "";
    private Optional<String> traceId = Optional.empty();
    private int status;
    private HeaderList answerHeaders = HeaderList.EMPTY;
    private int answerHeadBytes;
    private int answerBodyBytes;
    private boolean over;

    ObservedCall(
            RequestHead head, Instant startedAt, LongSupplier nanos, Consumer<RequestRecord> told) {
        this.head = head;
        this.startedAt = startedAt;
        this.nanos = nanos;
        this.told = told;
        this.begunNanos = nanos.getAsLong();
        this.phaseNanos = begunNanos;
        this.receivedNanos = begunNanos;
    }

    @Override
    public boolean areKept() {
        return true;
    }

    @Override
    public synchronized Phase enter(Phase next) {
        Phase before = phase;
        if (next != before) {
            long now = nanos.getAsLong();
            phases.merge(before, now - phaseNanos, Long::sum);
            phase = next;
            phaseNanos = now;
        }
        return before;
    }

    @Override
    public synchronized void received(int bytes) {
        enter(Phase.WORK);
        receivedNanos = phaseNanos;
        bodyBytes = bytes;
    }

    @Override
    public synchronized void caller(String account, String signer, String fingerprint) {
        caller = Optional.of(account);
        key = signer;
        signature = fingerprint;
    }

    @Override
    public synchronized void written(String name, String partition) {
        table = name;
        partitionKey = partition;
    }

    @Override
    public synchronized void operation(String name, String account, String path) {
        operation = name;
        owner = account;
        object = path;
    }

    @Override
    public synchronized void trace(String id) {
        traceId = Optional.of(id);
    }

    @Override
    public synchronized void answered(HttpAnswer answer, int headSize, int bodySize) {
        enter(Phase.SEND);
        answeredNanos = phaseNanos;
        status = answer.status();
        answerHeaders = answer.headers();
        answerHeadBytes = headSize;
        answerBodyBytes = bodySize;
    }

    @Override
    public void ended(boolean taken) {
        Optional<RequestRecord> record = end(taken);
        record.ifPresent(told);
    }

    private synchronized Optional<RequestRecord> end(boolean taken) {
        if (over) {
            return Optional.empty();
        }
        over = true;
        long now = nanos.getAsLong();
        phases.merge(phase, now - phaseNanos, Long::sum);
        long answered = status == 0 ? now : answeredNanos;
        return Optional.of(
                new RequestRecord(
                        startedAt,
                        head,
                        operation,
                        owner,
                        caller,
                        key,
                        signature,
                        object,
                        table,
                        partitionKey,
                        status,
                        answerHeaders,
                        answered - receivedNanos,
                        now - begunNanos,
                        bodyBytes,
                        answerHeadBytes,
                        answerBodyBytes,
                        taken,
                        Map.copyOf(phases),
                        traceId));
    }
}
