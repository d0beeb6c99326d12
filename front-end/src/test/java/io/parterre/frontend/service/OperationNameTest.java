package io.parterre.frontend.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpCall;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of operations in the request log. */
class OperationNameTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "OPTIONS, /acc/t, PreflightTableRequest",
                "GET, /acc/Tables, QueryTables",
                "POST, /acc/Tables, CreateTable",
                "GET, /acc/Tables('t'), QueryTable",
                "DELETE, /acc/Tables('t'), DeleteTable",
                "GET, /acc/t, QueryEntities",
                "GET, /acc/t(), QueryEntities",
                "POST, /acc/t, InsertEntity",
                "GET, \"/acc/t(PartitionKey='p',RowKey='r')\", QueryEntity",
                "PUT, \"/acc/t(PartitionKey='p',RowKey='r')\", InsertOrReplaceEntity",
                "MERGE, \"/acc/t(PartitionKey='p',RowKey='r')\", InsertOrMergeEntity",
                "PATCH, \"/acc/t(PartitionKey='p',RowKey='r')\", InsertOrMergeEntity",
                "DELETE, \"/acc/t(PartitionKey='p',RowKey='r')\", DeleteEntity",
                "POST, /acc/$batch, EntityGroupTransaction",
                "GET, /acc/t?comp=acl, GetTableAcl",
                "PUT, /acc/t?comp=acl, SetTableAcl",
                "GET, /acc/?restype=service&comp=properties, GetTableServiceProperties",
                "PUT, /acc/?restype=service&comp=properties, SetTableServiceProperties",
                "GET, /acc/?restype=service&comp=stats, GetTableServiceStats",
                "GET, /acc/?comp=other, Unknown",
                "GET, /acc/$metadata, Unknown",
                "GET, /acc/, Unknown",
                "GET, \"/acc/t(PartitionKey='p\", Unknown",
                "HEAD, /acc/t, Unknown"
            })
    void operationIsNamed_asStorageAnalyticsDoes(String method, String target, String name) {
        assertThat(OperationName.of(request(method, target, HeaderList.of("Host", "h"))))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"PUT, UpdateEntity", "MERGE, MergeEntity"})
    void conditionTellsUpdateFromUpsert(String method, String name) {
        HeaderList headers = HeaderList.of("Host", "h", "If-Match", "*");
        String target = "/acc/t(PartitionKey='p',RowKey='r')";
        assertThat(OperationName.of(request(method, target, headers))).isEqualTo(name);
    }

    private static TableRequest request(String method, String target, HeaderList headers) {
        HttpCall call =
                new HttpCall(
                        method,
                        target,
                        headers,
                        new byte[0],
                        InetAddress.getLoopbackAddress(),
                        false,
                        CallMemory.UNCOUNTED);
        return TableRequest.read(call, new CallContext(headers, "r", Instant.EPOCH), List.of());
    }
}
