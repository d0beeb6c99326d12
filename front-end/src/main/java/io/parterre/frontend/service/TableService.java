package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.auth.Authenticator;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Verb;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table service: the path of a call in five steps. Never blocks; thread-safe.
 *
 * <ol>
 *   <li>Read: {@link TableRequest}. Host, address and verb; version.
 *   <li>Authenticate: {@link Admission}. Credentials.
 *   <li>Authorize: {@link Authorization}. Write to the secondary; what the credentials permit.
 *   <li>Dispatch: {@link Dispatch}. Options, format and body; then the cluster: table, entity,
 *       condition.
 *   <li>Answer: {@link TableAnswers}.
 * </ol>
 *
 * <p>The steps are in the order of the checks. Source: docs/protocol.md 10.5. All steps up to the
 * store run on the calling thread, an event loop, unless a stored policy must be read. The rest
 * runs on the thread on which the store completes its stage, which is this event loop again.
 */
public final class TableService implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(TableService.class);

    private final Admission admission;
    private final Dispatch dispatch;
    private final CrossOrigin crossOrigin;
    private final InstantSource clock;
    private final TableServiceConfig config;
    private final Supplier<String> ids;

    /**
     * Creates a service in front of a cluster.
     *
     * @param keys public keys of the issuer of bearer tokens
     * @param ids generates GUIDs for request ids and boundaries
     */
    public TableService(
            AccountDirectory accounts,
            TokenKeys keys,
            TableStore store,
            InstantSource clock,
            TableServiceConfig config,
            Supplier<String> ids) {
        TableLimits limits = config.limits();
        CorsPolicies cors = new CorsPolicies(store, clock);
        EntityReader bodies = new EntityReader(limits.entity());
        EntityReads reads = new EntityReads(store, bodies, limits);
        EntityWrites writes = new EntityWrites(store, bodies, limits.entity());
        this.admission =
                new Admission(
                        accounts,
                        new Authenticator(accounts, config.bearer(), keys, limits.clockSkewMax()),
                        store);
        this.dispatch =
                new Dispatch(
                        new TableOperations(store, limits),
                        new EntityOperations(reads, writes, bodies),
                        new BatchOperations(reads, writes, limits.batch(), ids),
                        new SettingsOperations(store, cors, limits.settings()),
                        limits.entityBodyBytesMax());
        this.crossOrigin = new CrossOrigin(accounts, cors, config.hostSuffixes());
        this.clock = clock;
        this.config = config;
        this.ids = ids;
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        Optional<String> origin = call.headers().first("Origin");
        return origin.isEmpty() || call.method().equals("OPTIONS")
                ? answer(call)
                : crossOrigin.told(call, origin.get(), answer(call));
    }

    private CompletionStage<HttpAnswer> answer(HttpCall call) {
        CallContext context = new CallContext(call.headers(), ids.get(), clock.instant());
        TableRequest request;
        try {
            request = TableRequest.read(call, context, config.hostSuffixes());
        } catch (StorageException malformed) {
            return CompletableFuture.completedStage(
                    TableAnswers.frontEnd(context, context.versionOrNewest(), malformed));
        }
        CallNotes notes = call.notes();
        if (notes.areKept()) {
            notes.operation(
                    OperationName.of(request),
                    request.address().account(),
                    request.address().signedPath());
        }
        if (request.verb() == Verb.OPTIONS) {
            return crossOrigin.preflight(request);
        }
        notes.enter(CallNotes.Phase.AUTHENTICATE);
        try {
            Authentication authentication = admission.authenticate(request);
            // Continues at once, except if policies must be read: then on the thread that brings
            // them.
            return authentication instanceof Authentication.PolicyNeeded needed
                    ? admission
                            .withPolicies(needed, deadline(request))
                            .thenCompose(decided -> operate(request, decided))
                            .exceptionally(thrown -> refused(request, thrown))
                    : operate(request, authentication);
        } catch (StorageException refusal) {
            return CompletableFuture.completedStage(
                    TableAnswers.frontEnd(context, request.version(), refusal));
        }
    }

    private CompletionStage<HttpAnswer> operate(
            TableRequest request, Authentication authentication) {
        if (authentication instanceof Authentication.Denied denied) {
            return CompletableFuture.completedStage(TableAnswers.denied(request.context(), denied));
        }
        Authentication.Granted caller = (Authentication.Granted) authentication;
        CallNotes notes = request.call().notes();
        notes.enter(CallNotes.Phase.WORK);
        notes.caller(
                caller.account().name(),
                caller.proof().key(),
                caller.proof().signature().orElse(""));
        if (!request.call().memory().chargeTo(caller.account().name())) {
            return CompletableFuture.completedStage(
                    TableAnswers.refused(request.context(), HttpRefusal.BUSY));
        }
        Instant deadline = deadline(request);
        CompletionStage<OperationAnswer> running;
        try {
            Operation operation = Authorization.authorize(request, caller, deadline);
            running = dispatch.run(operation);
        } catch (RuntimeException refusal) {
            running = CompletableFuture.failedStage(refusal);
        }
        return running.handle(
                (answer, thrown) ->
                        thrown == null
                                ? TableAnswers.of(request, answer)
                                : TableAnswers.failed(request, logged(request, thrown)));
    }

    private Instant deadline(TableRequest request) {
        return request.context().receivedAt().plus(request.options().timeout(config.timeoutMax()));
    }

    private static HttpAnswer refused(TableRequest request, Throwable thrown) {
        return TableAnswers.frontEnd(
                request.context(), request.version(), logged(request, thrown).refusal());
    }

    private static Failure logged(TableRequest request, Throwable thrown) {
        if (!Failure.isExpected(thrown)) {
            log.error("request failed requestId={}", request.context().requestId(), thrown);
        }
        return Failure.of(thrown);
    }
}
